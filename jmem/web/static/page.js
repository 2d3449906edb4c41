// Keys, and small comforts. Everything on the page works without this file.
"use strict";
(() => {
  const go = {};
  let current = -1;
  let leader = 0;

  const rows = () => [...document.querySelectorAll("[data-row]")];

  function move(step) {
    const all = rows();
    if (!all.length) return;
    const here = all.findIndex((row) => row.contains(document.activeElement));
    current = Math.min(Math.max((here < 0 ? current : here) + step, 0), all.length - 1);
    const row = all[current];
    const target = row.tabIndex >= 0 || row.hasAttribute("tabindex") ? row : row.querySelector("a");
    target.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  function opened(letter) {
    const details = document.querySelector(`[data-act="${letter}"]`);
    if (!details) return false;
    details.open = true;
    const field = details.querySelector("textarea, input:not([type=hidden]), button");
    if (field) field.focus();
    return true;
  }

  function settled(letter) {
    const matter = document.activeElement.closest("[data-matter]");
    const control = matter && matter.querySelector(`[data-word="${letter}"]`);
    if (!control) return false;
    if (control.tagName === "BUTTON") control.click();
    else {
      control.open = true;
      control.querySelector("textarea").focus();
    }
    return true;
  }

  function help() {
    const keys = document.getElementById("keys");
    if (!keys.open) keys.showModal();
  }

  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, dialog[open]");
    if (typing) {
      if (event.key === "Escape" && typing.tagName !== "DIALOG") {
        event.preventDefault(); // a browser would empty the search, and its results with it
        typing.blur();
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (Date.now() - leader < 1500 && go[event.key]) {
      leader = 0;
      event.preventDefault();
      location.assign(go[event.key]);
      return;
    }
    leader = 0;
    if (event.key === "/") {
      event.preventDefault();
      const find = document.getElementById("find");
      find.focus();
      find.select();
    } else if (event.key === "?") help();
    else if (event.key === "j") move(1);
    else if (event.key === "k") move(-1);
    else if (event.key === "g") leader = Date.now();
    else if (settled(event.key) || opened(event.key)) event.preventDefault();
  });

  document.addEventListener("DOMContentLoaded", () => {
    for (const link of document.querySelectorAll("[data-go]")) go[link.dataset.go] = link.href;
    const button = document.querySelector("[data-help]");
    button.hidden = false;
    button.addEventListener("click", help);
    for (const field of document.querySelectorAll(".nojs")) field.remove();
    for (const form of document.querySelectorAll("form[data-auto]")) {
      form.classList.add("auto");
      if (!form.hasAttribute("hx-get")) form.addEventListener("change", () => form.submit());
    }
  });
})();
