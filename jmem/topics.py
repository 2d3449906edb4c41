"""Which topic a memory belongs to when nobody named one: its first tag, else its words."""

from __future__ import annotations

import re

from jmem.formats.memoryfile import topic_of

GENERAL = "general"
_TOPICS: tuple[tuple[str, str, str], ...] = (
    (
        "testing",
        r"tests?|testing|pytest|unittest|jest|vitest|coverage|fixtures?|mocks?|nextest",
        "测试|单测",
    ),
    (
        "database",
        r"database|db|sql|postgres\w*|mysql|sqlite|migrations?|schema|redis",
        "数据库|迁移",
    ),
    (
        "deployment",
        r"deploy\w*|releases?|rollout|rollback|staging|production|kubernetes|k8s|helm|docker\w*"
        r"|terraform",
        "部署|发布|上线",
    ),
    ("ci", r"ci|pipelines?|github actions|workflows?|jenkins", "持续集成|流水线"),
    (
        "git",
        r"git|commits?|branch(?:es)?|rebase|merge|pull requests?|prs?|changelog",
        "提交|分支|合并",
    ),
    (
        "security",
        r"security|secrets?|credentials?|auth\w*|passwords?|tokens?|permissions?",
        "密码|权限|安全",
    ),
    (
        "building",
        r"build\w*|compil\w*|cargo|make|cmake|gradle|maven|webpack|vite|bundl\w*",
        "构建|编译",
    ),
    (
        "dependencies",
        r"dependenc\w*|packages?|pip|uv|poetry|npm|pnpm|yarn|lock ?file|virtualenv|venv",
        "依赖|虚拟环境",
    ),
    (
        "style",
        r"style|format\w*|lint\w*|ruff|black|prettier|eslint|naming|indent\w*|comments?"
        r"|docstrings?",
        "风格|格式|注释|命名|缩进",
    ),
    ("api", r"api|endpoints?|rest|graphql|grpc|http|requests?", "接口"),
    ("frontend", r"frontend|ui|css|react|vue|svelte|components?|page|browser", "前端|页面"),
    ("docs", r"docs?|documentation|readme", "文档"),
    ("tools", r"editor|terminal|shell|vim|vscode|tmux|scripts?", "命令|终端|脚本"),
)
_PATTERNS = tuple(
    (topic, re.compile(rf"\b(?:{words})\b|{chinese}")) for topic, words, chinese in _TOPICS
)


def guess(text: str, tags: tuple[str, ...] = ()) -> str:
    """The topic: the first tag; else the topic most of whose words the statement uses."""
    if tags:
        return topic_of(tags[0])
    lowered = text.lower()
    best, most = GENERAL, 0
    for topic, pattern in _PATTERNS:
        found = len(pattern.findall(lowered))
        if found > most:
            best, most = topic, found
    return best
