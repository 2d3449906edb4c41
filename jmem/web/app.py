"""The application: which address is answered by which page, and where errors end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from jmem.changing.seen import Stale
from jmem.errors import Busy, JmemError, NotFound, Refused, UsageError
from jmem.storage import curated
from jmem.web.guard import Guard, Secrets, same
from jmem.web.pages import acting, drawn, looking, standing, waiting
from jmem.web.rendering import STATIC
from jmem.web.request import Asked, Desk, Said

Page = Callable[[Asked], Response]
_LARGEST_FORM = 512 * 1024
_FORM = "application/x-www-form-urlencoded"
_STATUS = ((NotFound, 404), (UsageError, 400), (Busy, 409), (Refused, 409))


def build(known: Secrets) -> ASGIApp:
    """The page as an application, behind its guard."""
    desk = Desk(known)

    def get(path: str, page: Page) -> Route:
        async def answer(request: Request) -> Response:
            return await run_in_threadpool(_answered, page, Asked(request, desk))

        return Route(path, answer, methods=["GET"])

    def post(path: str, page: Page) -> Route:
        async def answer(request: Request) -> Response:
            form = await _form(request, known)
            asked = Asked(request, desk, form)
            return await run_in_threadpool(_done, page, asked)

        return Route(path, answer, methods=["POST"])

    routes = [
        get("/", standing.front),
        get("/memories", looking.memories),
        get("/memories/{scope}/{id}", looking.memory),
        get("/memories/{scope}/{id}/why", looking.why),
        get("/memories/{scope}/{id}/story", looking.story),
        get("/memories/{scope}/{id}/around", drawn.around),
        get("/graph", drawn.whole),
        get("/nights", standing.timeline),
        get("/nights/{scope}/{run}", standing.night),
        get("/figures", standing.numbers),
        get("/inbox", waiting.notes),
        get("/review", waiting.review),
        post("/do/{scope}/{id}/{action}", acting.act),
        post("/undo/{scope}/{run}", acting.undo),
        post("/note", acting.note),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    handlers = {HTTPException: _not_there(desk)}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), known)


def _answered(page: Page, asked: Asked) -> Response:
    """A page; an error that was foreseen is one, too."""
    try:
        with asked.desk.turn:
            return asked.answer(page)
    except (JmemError, OSError) as error:
        return _trouble(asked, error)


def _done(action: Page, asked: Asked) -> Response:
    """What comes of an action: on to the page it came from, which says why it was not done. Where
    that would lose what a person typed, they get it back with the reason."""
    try:
        _wait(asked)
        with asked.desk.turn:
            return asked.answer(action)
    except Stale as error:
        values = {"error": error, "form": asked.form, "scope_name": asked.path["scope"]}
        title = "It was changed meanwhile"
        return asked.page("stale.html", status=409, title=title, **values)
    except (JmemError, OSError) as error:
        if asked.form.get("text", "").strip():
            return _trouble(asked, error)
        foreseen = _foreseen(error)
        told = f"{foreseen.message} ({foreseen.hint})" if foreseen.hint else foreseen.message
        return asked.onward(asked.form.get("back", "/"), Said(told, good=False))


def _wait(asked: Asked) -> None:
    """Until nobody else changes the scope: whoever waited in turn for that would make everybody
    wait who only wants to look. Raises Busy, NotFound."""
    if "scope" in asked.path:
        with curated.changing(asked.scope().root):
            return


def _trouble(asked: Asked, error: JmemError | OSError) -> Response:
    status = next((code for kind, code in _STATUS if isinstance(error, kind)), 500)
    return asked.trouble(_foreseen(error), status=status, title="Not that way")


def _foreseen(error: JmemError | OSError) -> JmemError:
    """An error as one that can be told."""
    if isinstance(error, JmemError):
        return error
    where = f"{error.filename}: " if error.filename else ""
    return JmemError(f"{where}{error.strerror or error}", hint="jmem doctor says what is wrong")


def _not_there(desk: Desk) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def answer(request: Request, error: Exception) -> Response:
        status = error.status_code if isinstance(error, HTTPException) else 500
        told = JmemError(f"there is nothing at {request.url.path}")
        if status != 404:
            told = JmemError(str(getattr(error, "detail", error)))
        return Asked(request, desk).trouble(told, status=status, title="Nothing here")

    return answer


async def _form(request: Request, known: Secrets) -> dict[str, str]:
    """The fields of a form of ours. Raises HTTPException for anything else."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != _FORM:
        raise HTTPException(415, "only forms of this page are read")
    body = bytearray()
    try:
        async for part in request.stream():
            body += part
            if len(body) > _LARGEST_FORM:
                raise HTTPException(413, "that is more than a memory can hold")
    except ClientDisconnect as error:
        raise HTTPException(400, "the form did not arrive whole") from error
    try:
        form = dict(parse_qsl(body.decode("utf-8", "replace"), True, max_num_fields=50))
    except ValueError as error:
        raise HTTPException(400, "that is no form of this page") from error
    if not same(form.get("form_word", ""), known.form):
        raise HTTPException(403, "this form is not of this server: open the page anew")
    return form
