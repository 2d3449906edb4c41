"""A fictional project of 300 true facts, many of one shape: a wrong merge hides a true fact.

The project, its people and its numbers are invented.
"""

# ruff: noqa: E501 - one fact a line reads better than its pieces
from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from jmem.model import How, Input, Memory, Op, Status, Verdict
from pipelines.rules.decider import Rules

START = datetime(2026, 3, 1, tzinfo=UTC)

FAMILIES: dict[str, list[tuple[str, ...]]] = {
    "The {0} service listens on port {1}.": [
        ("orders", "8081"), ("billing", "8082"), ("catalog", "8083"), ("search", "8084"),
        ("shipping", "8085"), ("identity", "8086"), ("media", "8087"), ("pricing", "8088"),
        ("reviews", "8089"), ("gateway", "8090"), ("ledger", "8091"), ("inventory", "8092"),
    ],
    "{0} DB port is {1}": [
        ("staging", "5433"), ("prod", "5432"), ("dev", "5434"), ("test", "5435"),
        ("analytics", "5436"), ("archive", "5437"),
    ],
    "use {0} in {1}": [
        ("pnpm", "web/"), ("uv", "api/"), ("cargo", "engine/"), ("npm", "docs-site/"),
        ("gradle", "android/"), ("yarn", "storybook/"), ("poetry", "legacy-jobs/"),
    ],
    "{0} owns the {1} and reviews every change to it.": [
        ("Mei", "parser"), ("Tomas", "lexer"), ("Ines", "type checker"), ("Bo", "formatter"),
        ("Ravi", "planner"), ("Lena", "executor"), ("Omar", "storage engine"), ("Yuki", "cli"),
        ("Nadia", "replication layer"), ("Felix", "query cache"),
    ],
    "{0} time out after {1} seconds.": [
        ("Image uploads", "120"), ("CSV exports", "300"), ("Login requests", "10"),
        ("Search queries", "5"), ("Webhook deliveries", "15"), ("Report jobs", "1800"),
        ("Payment captures", "45"), ("Thumbnail renders", "60"), ("Address lookups", "3"),
    ],
    "Retry {0} at most {1} times.": [
        ("webhooks", "5"), ("card charges", "2"), ("email sends", "8"), ("S3 puts", "4"),
        ("geocoder calls", "3"), ("ledger postings", "1"), ("SMS sends", "6"),
    ],
    "The {0} tests need {1} running.": [
        ("checkout", "Redis"), ("search", "OpenSearch"), ("media", "MinIO"), ("billing", "Postgres"),
        ("events", "Kafka"), ("identity", "Keycloak"), ("mail", "MailHog"),
    ],
    "`make {0}` {1}.": [
        ("lint", "runs ruff and mypy"), ("seed", "fills the demo shop"), ("proto", "regenerates stubs"),
        ("bundle", "builds the web assets"), ("bench", "prints latency percentiles"),
        ("reset-db", "drops and recreates the schema"), ("certs", "renews local certificates"),
        ("licenses", "lists third party licences"), ("fuzz", "runs the fuzzers for ten minutes"),
    ],
    "Set `{0}` to {1} before starting the app locally.": [
        ("ORDERS_URL", "http://localhost:8081"), ("BILLING_KEY", "any string"), ("LOG_FORMAT", "plain"),
        ("FEATURE_SET", "demo"), ("MAIL_SINK", "stdout"), ("CACHE_TTL", "0"), ("TRACE_RATE", "1.0"),
    ],
    "Logs of {0} are in {1}.": [
        ("the gateway", "/var/log/gw"), ("the workers", "/var/log/workers"),
        ("the scheduler", "/srv/scheduler/logs"), ("nginx", "/var/log/nginx"),
        ("the importer", "/data/import/logs"), ("the mailer", "/srv/mailer/out"),
    ],
    "The {0} container needs {1} of memory.": [
        ("web", "512 MB"), ("api", "1 GB"), ("indexer", "6 GB"), ("renderer", "3 GB"),
        ("proxy", "128 MB"), ("worker", "2 GB"), ("notebook", "8 GB"),
    ],
    "Backups of {0} run {1} and are kept for {2} days.": [
        ("the orders database", "hourly", "14"), ("the media bucket", "weekly", "90"),
        ("the ledger", "every ten minutes", "3650"), ("the wiki", "nightly", "30"),
    ],
    "{0} standup is at {1} on {2}.": [
        ("Platform", "09:30", "Monday"), ("Storefront", "10:00", "Tuesday"),
        ("Payments", "09:15", "Wednesday"), ("Data", "11:00", "Thursday"),
    ],
    "Error {0} means {1}.": [
        ("4011", "the session expired"), ("4012", "the token was revoked"),
        ("4091", "the cart changed meanwhile"), ("4221", "the address failed validation"),
        ("5031", "the ledger is read only"), ("5032", "the search index is rebuilding"),
    ],
    "Migration {0} {1}.": [
        ("0041", "adds the coupon table"), ("0042", "splits customer names"),
        ("0043", "backfills tax regions"), ("0044", "drops legacy carts"),
        ("0045", "partitions order events"),
    ],
    "The {0} job runs {1}.": [
        ("invoice", "at 02:00 UTC"), ("cleanup", "every Sunday"), ("reindex", "after each deploy"),
        ("currency", "every six hours"), ("digest", "on weekday mornings"),
        ("sitemap", "at 04:30 UTC"), ("fraud-score", "every ninety seconds"),
    ],
    "{0} prefers {1}.": [
        ("Mei", "small pull requests"), ("Tomas", "rebasing over merge commits"),
        ("Ines", "table driven tests"), ("Bo", "tabs"), ("Ravi", "diagrams in Mermaid"),
        ("Lena", "pairing before lunch"), ("Omar", "explicit error types"),
    ],
    "In {0} files, {1}.": [
        ("Python", "sort imports with isort rules"), ("Go", "wrap errors with %w"),
        ("TypeScript", "never use default exports"), ("SQL", "write keywords in lower case"),
        ("Rust", "forbid unwrap outside tests"), ("CSS", "use the spacing tokens"),
        ("Markdown", "break lines at sentences"), ("Terraform", "pin every provider"),
    ],
    "Never {0}.": [
        ("edit generated stubs by hand", ), ("log card numbers", ), ("push to the release branch", ),
        ("call the payment sandbox from unit tests", ), ("delete a topic in Kafka", ),
        ("rename a metric without telling Data", ), ("store prices as floats", ),
        ("send mail to real customers outside prod", ), ("merge on Friday afternoons", ),
    ],
    "Always {0}.": [
        ("run the schema check before a migration", ), ("add a changelog line", ),
        ("use integer cents for money", ), ("ask Nadia before touching replication", ),
        ("squash fixup commits", ), ("name feature flags after the ticket", ),
        ("close the tunnel after debugging", ), ("quote shell variables", ),
    ],
    "The {0} endpoint returns {1}.": [
        ("`/v1/cart`", "at most 50 lines"), ("`/v1/orders`", "20 orders a page"),
        ("`/v1/search`", "facets only when asked"), ("`/v1/prices`", "integer cents"),
        ("`/v1/me`", "no roles for guests"), ("`/v2/cart`", "an etag"), ("`/healthz`", "plain text"),
    ],
    "{0} is deployed with {1} to {2}.": [
        ("The storefront", "Vercel", "the edge"), ("The API", "Helm", "the k8s cluster in Frankfurt"),
        ("The wiki", "Ansible", "one old VM"), ("The data pipeline", "Terraform", "BigQuery"),
        ("The status page", "rsync", "a separate host"),
    ],
    "{0}的端口是{1}": [
        ("订单服务", "8081"), ("支付服务", "8082"), ("测试环境数据库", "5433"), ("生产环境数据库", "5432"),
        ("缓存", "6379"), ("消息队列", "5672"),
    ],
    "{0}由{1}负责": [
        ("解析器", "小梅"), ("前端页面", "老王"), ("部署脚本", "阿强"), ("数据迁移", "小林"), ("监控告警", "老赵"),
    ],
}  # fmt: skip

SINGLES = """
Feature flags live in flags.toml and are read once at start-up.
The search index is rebuilt from Postgres, never from Kafka.
Prices are rounded half up, per line, before tax.
The gateway strips cookies from asset requests.
Coupons cannot be combined with gift cards.
Customer names may be one word; do not require a surname.
The Frankfurt cluster has no GPU nodes.
OpenSearch 2.11 is the newest version the managed plan offers.
Redis holds sessions only; carts are in Postgres.
The importer expects Latin-1, not UTF-8.
Address validation is skipped for pickup orders.
Ledger entries are append only.
A cart expires after 30 days without a visit.
An anonymous cart is merged into the account at login.
The release train leaves every second Tuesday.
Hotfixes are cherry-picked from main.
CI caches the pnpm store by lock file hash.
The Android build needs JDK 17.
iOS builds run on the Mac mini under Omar's desk.
The load test uses recorded traffic from Black Friday.
Webhooks are signed with HMAC-SHA256.
The public API is versioned in the path.
Internal RPC is gRPC over mTLS.
Thumbnails are WebP at quality 82.
Original images are kept in the cold bucket.
PDF invoices are rendered by Chromium.
The tax table comes from a vendor file each quarter.
Currency rates are cached for six hours.
The admin UI is only reachable through the VPN.
Support staff cannot see full card numbers.
Refunds above 500 euros need a second approval.
Stock levels are eventually consistent.
The reviews widget loads after first paint.
Analytics events are sampled at ten percent.
The wiki is read only since the move to the handbook.
Design tokens are exported from Figma by a script.
Emails use MJML templates under mail/templates.
Translations are pulled from Weblate before each release.
Right-to-left layout is not supported yet.
The checkout flow has no client side routing.
Snapshot tests are banned in the storefront.
Mutation testing runs once a week.
Secrets come from Vault at deploy time.
Each service has its own schema, none share tables.
Long transactions block the nightly vacuum.
The order number is not the primary key.
Guest orders are linked by e-mail later.
The fraud check is asynchronous.
Shipping labels are bought in batches at noon.
部署前先在预发环境跑一遍冒烟测试
提交信息用中文写
价格一律用整数分保存
不要直接修改生成的代码
日志里不能出现银行卡号
每周五下午不发布
搜索索引每天凌晨重建
图片原件保存在冷存储里
接口文档写在 docs/api 目录
周会改在周三上午十点
Vendored code lives under third_party and is not linted.
The monorepo has no root package.json.
The on-call rota changes on Thursdays at noon.
Incidents are written up within five working days.
Bulk edits go through the importer, not the admin UI.
Product slugs never change once published.
Feature branches are deleted after merge.
Local HTTPS uses mkcert.
The Windows laptop of the warehouse cannot run Docker.
The rate limiter counts per API key, not per IP.
Metrics are scraped every 15 seconds.
Alerts page only on symptoms, not causes.
Traces are kept for seven days.
The data team reads from a replica.
Personal data is masked in the warehouse tables.
dbt models are tested on every pull request.
The recommendation model is retrained monthly.
Experiments run for at least two full weeks.
The A/B framework hashes the visitor id.
Cookies are set only after consent.
The nightly job writes its report to s3://acme-reports/nightly.
The hourly job writes its report to s3://acme-reports/hourly.
Ana is on call in odd weeks.
Piotr is on call in even weeks.
We deploy the API on Mondays.
We deploy the frontend on Wednesdays.
The user likes short answers without bullet lists.
The user wants tests written before the code.
The user's laptop runs Fedora 40.
The build server runs Debian 12.
Use conventional commits in the backend repository.
Use plain commit messages in the docs repository.
Staging uses the eu-west-1 region.
Production uses the eu-central-1 region.
The API rate limit is 100 requests per minute.
The rate limit for partners is 1000 requests per minute.
PostgreSQL 15 runs on db-main.
PostgreSQL 13 runs on db-legacy.
The VPN profile for contractors is acme-ext.ovpn.
The VPN profile for employees is acme-int.ovpn.
Sofia approves database changes.
Marco approves infrastructure changes.
Set JAVA_HOME to /opt/jdk-17 for the ingest module.
Set JAVA_HOME to /opt/jdk-21 for the stream module.
Cache entries expire after ten minutes.
Sessions expire after two hours.
The mobile app supports Android 10 and later.
The mobile app supports iOS 16 and later.
Unit tests live next to the code.
Integration tests live in tests/integration.
The main branch is protected.
The release branches are protected.
Port 9100 is the node exporter.
Port 9090 is Prometheus.
pip is not allowed on the build server.
npm is not allowed on the build server.
Dates in the API are ISO 8601.
Dates in the CSV export are DD.MM.YYYY.
Run database migrations with alembic upgrade head.
Run data fixtures with python -m seeds.
Errors are reported to Sentry.
Metrics are sent to Prometheus.
Logs are shipped to Loki.
The staging password rotates monthly.
The signing key rotates yearly.
代码审查至少需要两个人批准
紧急修复只需要一个人批准
日志保留七天
备份保留三十天
前端使用 TypeScript
后端使用 Go
测试数据库用 5433 端口
缓存服务用 6380 端口
""".strip().splitlines()


TOPICS = """
Testing: use `pytest -q` for the quick loop.
Testing: fixtures live in `tests/data`.
Testing: snapshots are updated with `pytest --snapshot-update`.
Testing: coverage must stay above 80%.
Docker: `docker compose up` starts the stack.
Docker: `docker ps -a` lists dead containers too.
Docker: images are tagged with the commit hash.
Docker: the base image is python:3.12-slim.
Deploy: `make ship` from main only.
Deploy: rollbacks use `helm rollback api 1`.
Deploy: takes about 7 minutes.
Deploy: announce in #releases before starting.
Deployment process - tag v*, wait for CI, then approve in ArgoCD.
Deployment process - hotfixes skip the staging soak.
Database schema: table names are plural.
Database schema: every table has created_at and updated_at.
Database schema: migrations in db/migrations are append only.
API conventions: errors use RFC 7807.
API conventions: paging uses `cursor` and `limit`.
API conventions: dates are ISO 8601 in UTC.
**Git** - branch names start with the ticket number.
**Git** - rebase instead of merging main into a branch.
**Git** - tags are signed.
CI: runs on GitHub Actions with self-hosted runners.
CI: the cache key is the hash of `uv.lock`.
CI: nightly builds start at 02:00 UTC.
CI: the Windows job is allowed to fail.
部署：先打标签再发布
部署：回滚用 helm rollback
部署：大约需要7分钟
测试：失败时只重跑一次
测试：夹具放在 tests/data
Frontend: components are in src/components.
Frontend: stories are in src/stories.
Frontend: icons are imported from @acme/icons.
Frontend: state lives in Zustand stores.
Note: the linter ignores generated code.
Note: the formatter ignores vendored code.
preference: dark mode screenshots
preference: British spelling in docs
fact: the repo has 3 packages
fact: the monolith has 41 modules
`make lint` - checks style with ruff.
`make types` - checks types with mypy.
`scripts/seed.py` - fills the database with 50 users.
`scripts/purge.py` - empties the database.
src/auth/token.py - signs tokens with RS256.
src/auth/session.py - keeps sessions in Redis.
The user said: never use emojis in commit messages.
The user said: keep answers under 10 lines.
The user prefers pytest over unittest.
The user prefers httpx over requests.
The user prefers TypeScript over JavaScript for new services.
The user prefers Postgres over MySQL.
Don't use `print` for logging in src/.
Don't use `eval` in templates.
Don't use bare except in handlers.
Use `structlog` for logging.
Use `httpx.AsyncClient` in async code.
Use `pathlib` for file paths.
Use 4 spaces in Python.
Use 2 spaces in YAML.
Use double quotes in Python.
Use single quotes in TypeScript.
Python 3.12 is required by the api package.
Node 20 is required by the web package.
The api package is published to the internal PyPI.
The web package is not published.
Requests to /admin need the X-Admin header.
Requests to /metrics need no authentication.
Feature flag `new-checkout` is on in staging.
Feature flag `fast-search` is off in staging.
Feature flag `new-checkout` is owned by Payments.
The queue `emails` has 3 consumers.
The queue `exports` has 1 consumer.
The `emails` queue drops messages after 24h.
Test user: alice@example.com with password in 1Password.
Test card: 4242 4242 4242 4242 for Stripe.
Renovate opens PRs on Mondays.
Dependabot is disabled.
The build fails without `NODE_OPTIONS=--max-old-space-size=4096`.
The tests fail without `TZ=UTC`.
Alembic needs `DATABASE_URL` with the psycopg driver.
Celery needs `BROKER_URL` with the redis scheme.
Hannah reviews the payment code, Igor reviews the login code.
Igor wants to be pinged on Slack, not by mail.
Hannah wants to be pinged by mail.
The report generator crashed when the locale was Turkish; we now force C.UTF-8 there.
The importer crashed on empty lines; we now skip them.
Before a release, bump the version in pyproject.toml.
Before a release, regenerate the API docs with `make apidocs`.
After a release, merge main back into develop.
After a hotfix, merge main back into develop and into next.
The GPU runner is called tesla-01 and has 24 GB.
The ARM runner is called graviton-02 and has 16 GB.
Artifacts older than 30 days are deleted from the registry.
Branches older than 90 days are deleted by the bot.
Use `rg` instead of grep in scripts.
Use `fd` instead of find in scripts.
`docker compose --profile full up` starts everything.
`docker compose --profile lite up` starts only the API and Postgres.
`pytest -m slow` runs the slow suite (about 9 minutes).
`pytest -m smoke` runs the smoke suite (about 40 seconds).
The user is based in Lisbon (UTC+1 in summer).
The user's colleague Dana is based in Denver.
GET /v1/users is paginated with cursors.
GET /v1/events is paginated with page numbers.
POST /v1/users needs the admin scope.
The JSON logs use snake_case keys.
The JSON API uses camelCase keys.
Redis 6 is used for the queue, Redis 7 for the cache.
OpenAPI files are in api/openapi; generated clients are in clients/.
We chose SQLite for the desktop app because it needs no server.
We chose Postgres for the cloud version because of row level security.
The 'legacy' flag in settings.toml must stay true until Q2 2027.
The 'beta' flag in settings.toml must stay false in prod.
Mocks for the S3 client are in tests/fakes/s3.py.
Mocks for the mail client are in tests/fakes/mail.py.
Never mock the database in integration tests.
Never mock the clock with time.sleep hacks; use freezegun.
Line length is 100 in Python.
Line length is 120 in Kotlin.
The default branch of the infra repo is master.
The default branch of the app repo is main.
Commits to infra need two approvals.
Commits to docs need no approval.
The demo account is demo@acme.test.
The load-test account is load@acme.test.
A full reindex takes 45 minutes on staging.
A full backup takes 20 minutes on staging.
Set `RUST_LOG=debug` to see SQL statements.
Set `RUST_BACKTRACE=1` to see panics in full.
Type hints are mandatory in new code.
Docstrings are mandatory in public functions.
iOS builds are signed with the enterprise certificate.
Android builds are signed with the upload key.
发布前要更新 CHANGELOG.md
发布后要通知运营群
接口返回的时间都是 UTC
数据库里的时间都是东八区
小张负责支付模块
小张负责登录模块
不要在循环里查数据库
不要在模板里写业务逻辑
日志用 JSON 格式
配置用 TOML 格式
单元测试用 pytest 跑
端到端测试用 playwright 跑
""".strip().splitlines()
"""Many facts under one heading, by one subject, of one form."""


def facts() -> list[str]:
    shaped = [shape.format(*row) for shape, rows in FAMILIES.items() for row in rows]
    return shaped + SINGLES


class Walk:
    """A caller that folds the effect of every verdict, as the plan does."""

    def __init__(self) -> None:
        self.memories: dict[str, Memory] = {}
        self.rules = Rules()
        self.count = 0

    def ask(self, text: str) -> Verdict:
        self.count += 1
        key, now = f"m{self.count}", START + timedelta(hours=self.count)
        return self.rules.decide(
            Input(ref=f"note:{key}", id=key, text=text, time=now, session=f"s:{self.count}")
        )

    def say(self, text: str) -> Verdict:
        verdict = self.ask(text)
        key, now = f"m{self.count}", START + timedelta(hours=self.count)
        new = Memory(id=key, text=text, created=now, updated=now, evidence=(f"note:{key}",))
        if verdict.op is Op.ADD:
            self._keep(new)
        elif verdict.op is Op.DELETE:
            self._keep(replace(self.memories[verdict.target], status=Status.FORGOTTEN, updated=now))
        elif verdict.how is How.REFINE:
            target = self.memories[verdict.target]
            self._keep(replace(target, text=verdict.text or text, updated=now))
        elif verdict.how is How.SUPERSEDE:
            target = self.memories[verdict.target]
            self._keep(replace(target, status=Status.SUPERSEDED, updated=now, superseded_by=key))
            self._keep(new)
        return verdict

    def _keep(self, memory: Memory) -> None:
        self.memories[memory.id] = memory
        self.rules.learn(memory)


def test_three_hundred_different_facts_stay_three_hundred_memories() -> None:
    walk = Walk()
    wrong = []
    for text in facts():
        verdict = walk.say(text)
        if verdict.op is not Op.ADD:
            wrong.append((text, verdict.op, verdict.how, walk.memories[verdict.target].text))
    assert len(facts()) == 300
    assert not wrong, wrong


def test_saying_all_of_them_again_adds_none() -> None:
    walk = Walk()
    for text in facts():
        walk.say(text)
    again = [(text, walk.say(text)) for text in facts()]
    assert [text for text, v in again if v.how is not How.REINFORCE] == []


CHANGES = [
    ("The orders service listens on port 9081.", "The orders service listens on port 8081."),
    ("orders service now listens on port 9181", "The orders service listens on port 8081."),
    ("staging DB port is 6433", "staging DB port is 5433"),
    ("The port of the prod DB is now 6432.", "prod DB port is 5432"),
    ("use bun in web/", "use pnpm in web/"),
    ("In web/ we switched from pnpm to bun.", "use pnpm in web/"),
    ("Image uploads time out after 90 seconds.", "Image uploads time out after 120 seconds."),
    ("Retry webhooks at most 7 times.", "Retry webhooks at most 5 times."),
    ("The search tests need Elasticsearch running.", "The search tests need OpenSearch running."),
    ("The indexer container needs 8 GB of memory.", "The indexer container needs 6 GB of memory."),
    (
        "Logs of the importer moved to /srv/import/logs.",
        "Logs of the importer are in /data/import/logs.",
    ),
    ("The sitemap job runs at 05:15 UTC.", "The sitemap job runs at 04:30 UTC."),
    ("Bo prefers spaces.", "Bo prefers tabs."),
    ("Platform standup is at 09:30 on Thursday.", "Platform standup is at 09:30 on Monday."),
    (
        "Feature flags live in config/flags.yaml and are read once at start-up.",
        "Feature flags live in flags.toml and are read once at start-up.",
    ),
    (
        "A cart expires after 14 days without a visit.",
        "A cart expires after 30 days without a visit.",
    ),
    ("The Android build needs JDK 21.", "The Android build needs JDK 17."),
    ("Thumbnails are AVIF at quality 60.", "Thumbnails are WebP at quality 82."),
    ("Webhooks are signed with Ed25519.", "Webhooks are signed with HMAC-SHA256."),
    ("Metrics are scraped every 60 seconds.", "Metrics are scraped every 15 seconds."),
    ("Traces are kept for 30 days.", "Traces are kept for seven days."),
    (
        "Snapshot tests are allowed in the storefront again.",
        "Snapshot tests are banned in the storefront.",
    ),
    ("Right-to-left layout is supported now.", "Right-to-left layout is not supported yet."),
    ("The admin UI no longer needs the VPN.", "The admin UI is only reachable through the VPN."),
    (
        "Refunds above 300 euros need a second approval.",
        "Refunds above 500 euros need a second approval.",
    ),
    (
        "The wiki is deployed with Ansible to a k8s pod.",
        "The wiki is deployed with Ansible to one old VM.",
    ),
    ("订单服务的端口改为9081", "订单服务的端口是8081"),
    ("测试环境数据库的端口是6433", "测试环境数据库的端口是5433"),
    ("解析器由小林负责", "解析器由小梅负责"),
    ("提交信息用英文写", "提交信息用中文写"),
    (
        "Report of the nightly job now goes to s3://acme-archive/nightly.",
        "The nightly job writes its report to s3://acme-reports/nightly.",
    ),
    ("We deploy the API on Thursdays.", "We deploy the API on Mondays."),
    ("API deploys happen on Thursdays now.", "We deploy the API on Mondays."),
    ("The user's laptop runs Fedora 42.", "The user's laptop runs Fedora 40."),
    ("The user switched their laptop to Arch Linux.", "The user's laptop runs Fedora 40."),
    ("Staging moved to the us-east-1 region.", "Staging uses the eu-west-1 region."),
    ("Staging is in us-east-1 now.", "Staging uses the eu-west-1 region."),
    (
        "Production runs in eu-north-1 instead of eu-central-1.",
        "Production uses the eu-central-1 region.",
    ),
    (
        "The API rate limit was raised to 250 requests per minute.",
        "The API rate limit is 100 requests per minute.",
    ),
    ("The API allows 250 requests per minute.", "The API rate limit is 100 requests per minute."),
    ("PostgreSQL 16 runs on db-main.", "PostgreSQL 15 runs on db-main."),
    ("db-main was upgraded to PostgreSQL 16.", "PostgreSQL 15 runs on db-main."),
    ("Sofia no longer approves database changes; Lars does.", "Sofia approves database changes."),
    ("Cache entries expire after thirty minutes.", "Cache entries expire after ten minutes."),
    ("Cache TTL is 30 minutes.", "Cache entries expire after ten minutes."),
    ("Sessions now last eight hours.", "Sessions expire after two hours."),
    (
        "The mobile app supports Android 12 and later.",
        "The mobile app supports Android 10 and later.",
    ),
    (
        "The mobile app dropped support for Android 10; 12 is the minimum.",
        "The mobile app supports Android 10 and later.",
    ),
    ("Unit tests live in tests/unit.", "Unit tests live next to the code."),
    ("Unit tests moved to tests/unit.", "Unit tests live next to the code."),
    ("pip is allowed on the build server.", "pip is not allowed on the build server."),
    ("Dates in the CSV export are ISO 8601.", "Dates in the CSV export are DD.MM.YYYY."),
    (
        "Run database migrations with dbmate up.",
        "Run database migrations with alembic upgrade head.",
    ),
    (
        "Database migrations are run with dbmate up, not alembic.",
        "Run database migrations with alembic upgrade head.",
    ),
    ("Errors are reported to GlitchTip.", "Errors are reported to Sentry."),
    ("We replaced Sentry with GlitchTip for error reports.", "Errors are reported to Sentry."),
    ("Metrics are sent to VictoriaMetrics.", "Metrics are sent to Prometheus."),
    ("The staging password rotates weekly.", "The staging password rotates monthly."),
    ("The signing key rotates every six months.", "The signing key rotates yearly."),
    (
        "The user likes long answers with bullet lists.",
        "The user likes short answers without bullet lists.",
    ),
    ("The main branch is no longer protected.", "The main branch is protected."),
    ("代码审查至少需要三个人批准", "代码审查至少需要两个人批准"),
    ("日志保留十四天", "日志保留七天"),
    ("备份改为保留九十天", "备份保留三十天"),
    ("后端改用 Rust", "后端使用 Go"),
    ("后端从 Go 换成了 Rust", "后端使用 Go"),
    ("测试数据库改到 5434 端口", "测试数据库用 5433 端口"),
]


def test_facts_under_one_heading_stay_apart() -> None:
    walk = Walk()
    wrong = [(text, verdict) for text in TOPICS if (verdict := walk.say(text)).op is not Op.ADD]
    assert not wrong, wrong


def test_a_change_replaces_the_one_fact_it_is_about() -> None:
    walk = Walk()
    for text in facts():
        walk.say(text)
    missed, wrong = [], []
    for new, old in CHANGES:
        verdict = walk.ask(new)
        target = walk.memories.get(verdict.target)
        if target is not None and target.text != old:
            wrong.append((new, target.text, verdict.how))
        elif verdict.how not in (How.SUPERSEDE, How.REFINE):
            missed.append((new, verdict.op, verdict.reason))
    assert not wrong, wrong
    assert len(missed) <= len(CHANGES) // 6, missed
