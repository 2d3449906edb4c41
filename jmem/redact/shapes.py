"""Secrets that are recognised by their own form: vendor tokens, keys, webhooks.

A shape is a label, the literal anchors that it starts with, and what must follow the
anchor. Anchors are found with ``str.find``, so a text without one pays nothing for it,
and a pattern is compiled when its anchor is met for the first time. Every pattern is
tried at one place only and is a run of one class or of bounded parts: no backtracking.
"""

from __future__ import annotations

from collections.abc import Iterator

from jmem.redact import values
from jmem.redact.patterns import compiled

Span = tuple[int, int, str]

_WORD = r"[A-Za-z0-9_-]"
_ANY = r"[A-Za-z0-9._~+/=-]"
_HEX = r"[0-9a-fA-F]"
_ALNUM = r"[A-Za-z0-9]"

SHAPES: tuple[tuple[str, str, str], ...] = (
    # Models and machine learning
    ("anthropic-key", "sk-ant-", _WORD + "{16,}=*"),
    ("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", _WORD + "{16,}"),
    ("openrouter-key", "sk-or-", _WORD + "{16,}"),
    ("openai-key", "sk-", _ALNUM + "{20,}"),
    ("api-key", "sk-", r"(?=[A-Za-z_-]{0,99}+[0-9])" + _WORD + "{16,}"),
    ("langfuse-key", "pk-lf- sk-lf-", _WORD + "{20,}"),
    ("huggingface-token", "hf_ api_org_", _ALNUM + "{24,}"),
    ("groq-key", "gsk_", _ALNUM + "{24,}"),
    ("xai-key", "xai-", _ALNUM + "{40,}"),
    ("perplexity-key", "pplx-", _ALNUM + "{32,}"),
    ("replicate-token", "r8_", _ALNUM + "{24,}"),
    ("nvidia-key", "nvapi-", _WORD + "{24,}"),
    ("together-key", "tgp_v1_", _WORD + "{24,}"),
    ("tavily-key", "tvly-", _WORD + "{20,}"),
    ("langsmith-key", "lsv2_pt_ lsv2_sk_ ls__", _WORD + "{20,}"),
    ("wandb-key", "wandb_v1_", _WORD + "{24,}"),
    ("cerebras-key", "csk-", _ALNUM + "{32,}"),
    ("fireworks-key", "fw_", r"(?=[A-Za-z]{0,30}[0-9])" + _ALNUM + "{20,}"),
    ("pinecone-key", "pcsk_", r"[A-Za-z0-9_]{40,}"),
    ("llamacloud-key", "llx-", _ALNUM + "{32,}"),
    ("firecrawl-key", "fc-", _HEX + "{32}(?![A-Za-z0-9])"),
    ("e2b-key", "e2b_", _HEX + "{32,}"),
    ("jina-key", "jina_", _WORD + "{32,}"),
    # Code hosting and packages
    ("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"[A-Za-z0-9_]{12,}"),
    ("github-token", "github_pat_", r"[A-Za-z0-9_]{16,}"),
    (
        "gitlab-token",
        "glpat- gldt- glft- glsoat- glrt- glrtr- glcbt- glptt- glimt- glagent- gloas- glffct- "
        "glwt- GR1348941",
        r"[A-Za-z0-9._-]{16,}",
    ),
    ("gitlab-token", "_gitlab_session=", _WORD + "{16,}"),
    ("bitbucket-token", "ATBB ATCTT3", _WORD + "{20,}=*" + _WORD + "*"),
    ("atlassian-token", "ATATT3", _WORD + "{20,}=*" + _WORD + "*"),
    ("npm-token", "npm_", _ALNUM + "{30,}"),
    ("pypi-token", "pypi-", _WORD + "{24,}"),
    ("rubygems-token", "rubygems_", _HEX + "{32,}"),
    ("clojars-token", "CLOJARS_", _ALNUM + "{32,}"),
    ("docker-token", "dckr_pat_ dckr_oat_", _WORD + "{20,}"),
    ("nuget-key", "oy2", r"(?=[a-z]{0,43}+[0-9])[a-z0-9]{43}(?![A-Za-z0-9])"),
    ("sonar-token", "sqp_ squ_ sqa_", _HEX + "{32,}"),
    ("sourcegraph-token", "sgp_ slk_", r"[A-Za-z0-9_]{32,}"),
    ("buildkite-token", "bkua_ bkct_ bkaj_", _ALNUM + "{24,}"),
    ("artifactory-key", "AKCp cmVmd", _ALNUM + "{50,}"),
    # Clouds
    (
        "aws-key-id",
        "AKIA ASIA ABIA ACCA A3T AGPA AIDA AROA AIPA ANPA ANVA",
        r"[A-Z0-9]{16,17}(?![A-Za-z0-9_])",
    ),
    # What a temporary session token of AWS begins with, in any region.
    ("aws-session-token", "IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz", r"[A-Za-z0-9+/=_%-]{40,}"),
    ("aws-key", "ABSK bedrock-api-key-", r"[A-Za-z0-9+/]{24,}={0,2}"),
    ("aws-mws-token", "amzn.mws.", r"[0-9a-f-]{32,}"),
    ("google-key", "AIza", _WORD + "{24,}"),
    ("google-key", "AQ.Ab", _WORD + "{30,}"),
    ("google-token", "ya29.", r"[A-Za-z0-9._-]{20,}"),
    ("google-token", "1//0", _WORD + "{30,}"),
    ("google-secret", "GOCSPX-", _WORD + "{20,}"),
    ("alibaba-key", "LTAI", _ALNUM + "{16,}"),
    ("yandex-token", "t1.", r"[A-Z0-9a-z_-]{16,400}+=*\.[A-Z0-9a-z_-]{40,}={0,2}"),
    ("yandex-token", "AQVN YCAJ YCMO YCoB", _WORD + "{20,}"),
    ("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", _HEX + "{32,}"),
    ("cloudflare-key", "v1.0-", _HEX + "{24,400}+-" + _HEX + "{100,}"),
    ("cloudflare-token", "cfut_ cfat_ cfk_ cfoat_ cfort_", _ALNUM + "{32,}"),
    ("vercel-token", "vcp_ vci_ vca_ vcr_ vck_ vercel_blob_rw_", r"[A-Za-z0-9_]{24,}"),
    ("neon-key", "napi_", _ALNUM + "{40,}"),
    ("circleci-token", "CCIPAT_ CCIPRJ_", r"[A-Za-z0-9_]{32,}"),
    ("heroku-token", "HRKU-", _WORD + "{30,}"),
    ("netlify-token", "nfp_", _ALNUM + "{30,}"),
    ("fly-token", "FlyV1 fm2_ fo1_", _ANY + "{30,}"),
    ("render-key", "rnd_", _ALNUM + "{24,}"),
    ("supabase-token", "sbp_ sb_secret_", _WORD + "{20,}"),
    ("planetscale-token", "pscale_tkn_ pscale_pw_ pscale_oauth_", r"[A-Za-z0-9_.=-]{24,}"),
    ("databricks-token", "dapi", _HEX + r"{32,}(?:-\d)?"),
    ("vault-token", "hvs. hvb. hvr.", _WORD + "{20,}"),
    ("vault-token", "s.", r"(?=[A-Za-z]{0,25}+[0-9])[A-Za-z0-9]{24,26}(?![A-Za-z0-9_(.])"),
    ("vault-token", "s.CAES", _WORD + "{60,}"),
    ("pulumi-token", "pul-", _HEX + "{40,}"),
    ("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", r"[A-Za-z0-9._-]{32,}"),
    ("tailscale-key", "tskey-", r"[A-Za-z0-9-]{12,}"),
    ("openshift-token", "sha256~", _WORD + "{32,}"),
    ("1password-token", "ops_eyJ", r"[A-Za-z0-9+/=_-]{60,}"),
    (
        "1password-key",
        "A3-",
        r"[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    ("age-key", "AGE-SECRET-KEY-1 AGE-PLUGIN-", r"[A-Z0-9-]{30,}"),
    # Messaging and mail
    (
        "slack-token",
        "xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xapp- xwfp- xoxe.xox",
        r"[A-Za-z0-9%./+=-]{8,}",
    ),
    ("slack-webhook", "hooks.slack.com/", r"(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{24,}"),
    (
        "discord-webhook",
        "discord.com/api/webhooks/ discordapp.com/api/webhooks/",
        r"[0-9]{10,}/[A-Za-z0-9_-]{16,}",
    ),
    (
        "teams-webhook",
        "outlook.office.com/webhook/ webhook.office.com/webhookb2/",
        r"[A-Za-z0-9@/-]{40,}",
    ),
    ("sendgrid-key", "SG.", r"[A-Za-z0-9_-]{16,400}+\.[A-Za-z0-9_-]{16,}"),
    ("sendinblue-key", "xkeysib- xsmtpsib-", r"[A-Za-z0-9-]{40,}"),
    ("resend-key", "re_", _ALNUM + r"{8}_[A-Za-z0-9]{20,}"),
    ("twilio-key", "SK", r"[0-9a-f]{32}(?![A-Za-z0-9])"),
    ("discord-token", "mfa.", r"(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{60,}"),
    ("mailgun-key", "key- pubkey-", _HEX + "{32}(?![A-Za-z0-9])"),
    # Payment, commerce, monitoring, the rest
    (
        "stripe-key",
        "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_ pk_test_ whsec_",
        r"[A-Za-z0-9+/=_]{10,}",
    ),
    ("api-key", "sk_", _HEX + "{40,}"),
    ("api-key", "ak_live_ ak_test_ live_ test_", r"(?=[A-Za-z=_-]{0,99}+[0-9])[A-Za-z0-9_=-]{24,}"),
    ("shopify-token", "shpat_ shpca_ shppa_ shpss_ shltm_", r"[A-Za-z0-9_]{24,}"),
    ("square-token", "sq0atp- sq0csp- sq0idp- EAAA", _WORD + "{22,}"),
    ("facebook-token", "EAAC EAAG EAAM EAAB", _ALNUM + "{40,}"),
    ("shippo-token", "shippo_live_ shippo_test_", _HEX + "{32,}"),
    ("easypost-key", "EZAK EZTK", _ALNUM + "{40,}"),
    ("flutterwave-key", "FLWPUBK_ FLWSECK_ FLWPUBK- FLWSECK-", r"[A-Za-z0-9_-]{12,}"),
    ("newrelic-key", "NRAK- NRII- NRIQ- NRAA- NRJS- NRRA- NRAL- NRBR- NRSP-", _WORD + "{16,}"),
    ("pixie-key", "px-api- px-dep-", r"[0-9a-z-]{30,}"),
    ("sentry-token", "sntrys_ sntryu_ sntrya_ sntryi_", r"[A-Za-z0-9+/=_-]{32,}"),
    ("grafana-token", "glsa_ glc_", r"[A-Za-z0-9+/=_]{24,}"),
    ("grafana-token", "eyJrIjoi", r"[A-Za-z0-9+/_-]{30,}={0,2}"),
    ("dynatrace-token", "dt0c01. dt0s01. dt0s16.", r"[A-Za-z0-9.]{40,}"),
    ("linear-key", "lin_api_ lin_oauth_", _ALNUM + "{20,}"),
    ("figma-token", "figd_ figu_ figo_ figoh_ figor_", _WORD + "{20,}"),
    ("frameio-token", "fio-u-", r"[A-Za-z0-9=_-]{32,}"),
    ("postman-key", "PMAK-", r"[A-Za-z0-9-]{40,}"),
    ("posthog-key", "phc_ phx_ phs_", r"[A-Za-z0-9_]{30,}"),
    ("harness-token", "pat. sat.", r"[A-Za-z0-9_-]{22}\.[0-9a-zA-Z]{20,}\.[A-Za-z0-9]{16,}"),
    ("airtable-token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{32,}"),
    ("contentful-token", "CFPAT-", _WORD + "{32,}"),
    ("dropbox-token", "sl.", r"(?=[A-Za-z._-]{0,99}+[0-9])[A-Za-z0-9._-]{60,}"),
    ("mapbox-token", "pk.eyJ sk.eyJ tk.eyJ", r"[A-Za-z0-9_-]{16,400}+\.[A-Za-z0-9_-]{16,}"),
    ("adafruit-key", "aio_", _ALNUM + "{24,}"),
    ("dependency-track-key", "odt_", _ALNUM + "{28,}"),
    ("readme-key", "rdme_", _ALNUM + "{32,}"),
    ("stackhawk-key", "hawk.", _WORD + r"{16,400}+\." + _WORD + "{16,}"),
    ("settlemint-token", "sm_aat_ sm_sat_ sm_pat_", _ALNUM + "{12,}"),
    ("django-secret", "django-insecure-", r"[^\s\"'`]{16,}"),
    ("pubnub-key", "pub-c- sub-c- sec-c-", r"[A-Za-z0-9-]{30,}"),
    ("notion-token", "ntn_ secret_", _ALNUM + "{40,}"),
    ("trello-token", "ATTA", _ALNUM + "{60,}"),
    ("duffel-token", "duffel_live_ duffel_test_", _WORD + "{30,}"),
    ("nebula-key", "dnkey-", _WORD + "{26,}"),
    ("endor-token", "endr+", r"[A-Za-z0-9-]{16,}"),
    ("infracost-key", "ico-", _ALNUM + "{32,}"),
    ("typeform-token", "tfp_", r"[A-Za-z0-9_.=-]{40,}"),
    ("scalingo-token", "tk-us-", _WORD + "{40,}"),
    ("onesignal-key", "os_v2_app_ os_v2_org_", _ALNUM + "{40,}"),
    ("zuplo-key", "zpka_", r"[A-Za-z0-9_]{32,}"),
    ("deno-token", "ddp_ ddo_", _ALNUM + "{30,}"),
    ("wakatime-key", "waka_", r"[0-9a-f-]{36}"),
    ("lichess-token", "lip_", _ALNUM + "{16,}"),
    ("openvsx-token", "ovsxp_", r"[A-Za-z0-9_-]{30,}"),
    ("crates-token", "cio", _ALNUM + "{32}(?![A-Za-z0-9])"),
    ("mongodb-secret", "mdb_sa_sk_", _WORD + "{30,}"),
    (
        "paypal-token",
        "access_token$production$ access_token$sandbox$",
        r"[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    ("plaid-token", "access-sandbox- access-development- access-production-", r"[0-9a-f-]{36}"),
    ("zapier-webhook", "hooks.zapier.com/hooks/catch/", r"[0-9A-Za-z/]{8,}"),
    ("jwt", "ZXlK", r"[A-Za-z0-9+/=_-]{60,}"),
    ("prefect-key", "pnu_ pnb_", _ALNUM + "{30,}"),
    ("teamwork-token", "tkn.v1_", r"[A-Za-z0-9+/=_-]{32,}"),
    ("telnyx-key", "KEY", r"(?=[A-Za-z_-]{0,99}+[0-9])[A-Za-z0-9_-]{50,}"),
    ("clickup-token", "pk_", r"[0-9]{6,10}_[A-Z0-9]{32}"),
    ("zoho-token", "1000.", r"[0-9a-f]{32}\.[0-9a-f]{32}"),
    ("salesforce-token", "00D", r"[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}"),
    ("kerberos-ticket", "$krb5asrep$ $krb5tgs$ $krb5pa$", r"[^\s]{32,}"),
    (
        "jwt",
        "eyJ ey",
        r"[A-Za-z0-9_-]{14,2000}+\.(?:ey|e30)[A-Za-z0-9_-]{2,}(?:\.[A-Za-z0-9_-]*)?(?:\.[A-Za-z0-9_-]+){0,2}",
    ),
)

# Every token is longer than this, and none holds one of these characters.
_SHORTEST = 12
_BETWEEN = str.maketrans(dict.fromkeys("\"'`,;()[]{}<>\\|&*#?@", " "))
_LARGE = 4096
_RARE, _DRAWN, _LONGEST = 4, 24, 256


def find(text: str) -> Iterator[Span]:
    """Yield the spans of everything in an ASCII text that has the form of a known secret."""
    words = _long_words(text)
    for label, anchors, rest in SHAPES:
        for anchor in anchors.split(" "):
            if anchor in words:
                yield from _at(text, anchor, rest, label)


def _long_words(text: str) -> str:
    """The words of a text that are long enough for a token, each once; a short text itself.

    Most of a transcript is short words and repetition, so that looking for some two
    hundred anchors in what is left costs a fraction.
    """
    if len(text) < _LARGE:
        return text
    return "\n".join({word for word in text.translate(_BETWEEN).split() if len(word) > _SHORTEST})


def _at(text: str, anchor: str, rest: str, label: str) -> Iterator[Span]:
    pattern = compiled(rest)
    at = text.find(anchor)
    while at >= 0:
        after = at + len(anchor)
        if not _is_inside(text, at):
            match = pattern.match(text, after)
        elif len(anchor) >= _RARE and anchor[-1] in "_-":
            match = pattern.match(text, after, after + _LONGEST)
            match = match if match and _is_drawn(match.group()) else None
        else:
            match = None
        if match:
            after = match.end()
            end = after - len(match.group()) + len(match.group().rstrip(".,/"))
            # These anchors also begin ordinary names.
            if label != "api-key" or values.is_random(text[at:end]):
                yield at, end, label
        at = text.find(anchor, after)


def _is_drawn(rest: str) -> bool:
    """Whether behind the sign of a token stands so much that other letters may stand before it."""
    return (
        len(rest) >= _DRAWN
        and rest.isalnum()
        and not (rest.islower() or rest.isupper())
        and values.mixed(rest)
        and values.is_random(rest)
    )


def _is_inside(text: str, at: int) -> bool:
    """Whether the anchor is the inside of a longer word, which no token starts in."""
    if at == 0 or not text[at - 1].isalnum():
        return False
    escaped = at > 1 and text[at - 2] == "\\" and text[at - 1] in "nrt"
    return not escaped
