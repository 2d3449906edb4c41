"""What the rules know about words: tables, no logic.

Every table is small and of everyday developer language; a word that is missing costs a second
memory, a word that is wrong could cost a fact, so doubtful ones are left out.
"""

from __future__ import annotations

NEGATIONS = frozenset(
    """
    not no never don't dont doesn't doesnt isn't aren't wasn't weren't can't cannot won't wouldn't
    shouldn't mustn't needn't couldn't hasn't haven't didn't without avoid avoids forbid forbids
    instead rather forbidden prohibit prohibits prohibited neither nor stop unsupported
    不要 不能 不可 不得 不再 不用 不是 不会 不支持 别再 禁止 切勿 严禁 没有 无需 避免 不 别 勿
    """.split()  # noqa: SIM905 - a table of words reads better as text
)

NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
    )
    if number != 1  # "one" is a pronoun more often than a number
} | {
    word: str(number)
    for number, word in zip(
        (15, 20, 30, 40, 50, 60, 90, 100),
        "fifteen twenty thirty forty fifty sixty ninety hundred".split(),  # noqa: SIM905
        strict=True,
    )
}

_SAME = """
execute:run invoke:run launch:start postgresql:postgres pg:postgres javascript:js typescript:ts
golang:go directory:dir folder:dir repository:repo configuration:config configs:config
database:db databases:db production:prod development:dev documentation:docs doc:docs
environment:env environments:env authentication:auth kubernetes:k8s milliseconds:ms
picture:image bug:defect failure:fail fix:repair remove:delete
erase:delete utilize:use employ:use used:use uses:use using:use
prefer:favor favour:favor favorite:favor
like:favor dislike:hate must:need require:need required:need requires:need
seconds:s secs:s sec:s second:s minutes:min mins:min minute:min hours:h hour:h
situated:live located:live resides:live found:live stored:live lives:live
"""
CANONICAL = dict(pair.split(":") for pair in _SAME.split())
"""Words that mean the same here, by their lower-case form."""

_CLASSES = """
npm yarn pnpm bun
python typescript javascript go rust java kotlin ruby php elixir
httpx requests aiohttp urllib3
pandas polars
pip uv poetry pipenv pdm conda mamba rye
jest vitest mocha jasmine ava
pytest unittest nose nose2
cypress playwright selenium puppeteer
eslint biome oxlint jshint tslint standard
black yapf autopep8
flake8 pylint ruff
prettier dprint
mypy pyright pyre ty
webpack vite rollup esbuild parcel turbopack rspack
make just task ninja bazel
maven gradle ant sbt
postgres mysql mariadb sqlite oracle mongodb cockroachdb dynamodb cassandra mssql
redis memcached valkey keydb dragonfly
elasticsearch opensearch solr meilisearch typesense
kafka rabbitmq nats sqs pulsar zeromq
jenkins circleci travis buildkite teamcity drone actions
aws gcp azure hetzner digitalocean linode heroku flyio render netlify vercel
docker podman containerd
helm kustomize
terraform pulumi opentofu ansible chef puppet
react vue svelte angular solid preact
django flask fastapi starlette tornado
express fastify koa hono
rest graphql grpc soap
json yaml toml xml ini protobuf msgpack
tabs spaces
vim neovim emacs vscode zed sublime
bash zsh fish
slack discord teams mattermost zulip
jira linear asana trello notion
sentry bugsnag rollbar
datadog grafana newrelic
nginx caddy traefik apache haproxy
main master trunk develop
mit apache gpl bsd mpl
squash rebase merge
monday tuesday wednesday thursday friday saturday sunday
january february march april june july august september october november december
weekly daily hourly monthly quarterly nightly biweekly yearly annually
dark light
unittest pytest
sha1 sha256 md5 blake3 bcrypt argon2 scrypt
utc cet pst est gmt jst
camelcase snake_case kebab-case pascalcase
manual automatic
sync async synchronous asynchronous
gitflow trunk-based
oauth saml ldap basic
周一 周二 周三 周四 周五 周六 周日 星期一 星期二 星期三 星期四 星期五 星期六 星期日
中文 英文 日文
每天 每周 每月 每小时 每季度
上午 下午 晚上 凌晨
空格 制表符
"""
ALTERNATIVES: dict[str, frozenset[int]] = {}
"""Word -> the classes it belongs to; two words of one class fill the same slot of a fact."""

_SCOPES = frozenset(
    """
    staging prod dev test qa preview canary sandbox local remote ci nightly
    frontend backend client server web mobile ios android desktop api cli ui gui admin
    linux macos mac windows ubuntu debian fedora alpine arm arm64 x86 amd64
    read write reader writer primary replica standby upload download
    input output request response import export inbound outbound ingress egress
    unit integration e2e smoke load performance
    previous upper lower min max minimum maximum
    测试环境 生产环境 预发环境 开发环境 本地 线上 测试 生产 预发 前端 后端
    internal external public private user guest team
    cpu gpu memory disk network eu us asia east west north south
    """.split()  # noqa: SIM905
)
SCOPES = _SCOPES
"""Words that say of which of several things a fact holds; a difference makes another fact."""

_OPPOSITES = """
enable:disable enabled:disabled on:off allow:deny allowed:denied include:exclude true:false
optional:mandatory optional:required optional:need always:sometimes before:after with:without
hate:favor public:private open:closed accept:reject keep:delete keep:drop safe:unsafe
banned:allowed banned:permitted forbidden:allowed allowed:denied
working:broken works:broken works:fails supported:unsupported up:down green:red sync:async
short:long fast:slow small:large small:big odd:even strict:loose early:late
manual:automatic manually:automatically 启用:禁用 打开:关闭 允许:禁止 必须:可选 之前:之后
"""
OPPOSITES: dict[str, frozenset[str]] = {}

IDENTITY_NOUNS = frozenset(
    """
    issue pr ticket bug error code status step phase migration rfc adr chapter section part
    rule story epic sprint exit case item task pull build job run request incident defect line
    """.split()  # noqa: SIM905
)
"""A number after one of these names a thing, it is not a value of one."""

WEAK = frozenset(
    """
    use us run mak make need project note now current currently work thing way new old always ev
    user favor set get go live file code default pleas remember import fact like want tak listen
    start keep put call serv handl hav live sit stand stay happen happ becom remain
    使 由 负 责 改 新 已 该 需
    """.split()  # noqa: SIM905
)
"""Content words so common in notes that sharing them says little about the subject."""

GENERIC_LABELS = frozenset(
    """
    why how appli not note rule fix exampl todo warn important tip fact preferenc pitfall workflow
    correct entiti lesson context background problem solution reason result statu updat summari
    remember remind caution decision convention us always info user detail next step
    reminder later record worth know fyi btw psa head told 提 醒 备 忘 注 意 说 明
    """.split()  # noqa: SIM905
)
"""Stems of labels that say what sort of text follows, not what it is about."""


def _fill() -> None:
    for number, line in enumerate(_CLASSES.strip().splitlines()):
        for word in line.split():
            ALTERNATIVES[word] = ALTERNATIVES.get(word, frozenset()) | {number}
    for pair in _OPPOSITES.split():
        left, right = pair.split(":")
        OPPOSITES[left] = OPPOSITES.get(left, frozenset()) | {right}
        OPPOSITES[right] = OPPOSITES.get(right, frozenset()) | {left}


_fill()

UNSPACED_WORDS = sorted(
    (w for w in {*ALTERNATIVES, *OPPOSITES, *SCOPES} if not w.isascii() and w not in NEGATIONS),
    key=lambda word: (-len(word), word),
)
"""Words of the tables above that stand in a text without spaces, longest first."""

FILLERS = frozenset({"longer", "anymore", "again", "already", "yet", "currently", "actually"})
"""Words beside a denial or a change that say nothing by themselves."""


def same_class(left: str, right: str) -> bool:
    """Whether two different words are alternatives of each other."""
    return left != right and not ALTERNATIVES.get(left, frozenset()).isdisjoint(
        ALTERNATIVES.get(right, frozenset())
    )


def opposite(left: str, right: str) -> bool:
    """Whether two words exclude each other."""
    return right in OPPOSITES.get(left, frozenset())
