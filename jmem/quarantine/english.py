"""Orders in English that no memory may give. Pure."""

from __future__ import annotations

from jmem.quarantine.reasons import (
    AUTHORITY,
    CLAIMED,
    DELAYED,
    EXFILTRATION,
    FOREIGN,
    HARM,
    OVERRIDE,
    PERMISSION,
    PERSONA,
    REMOTE,
    SAID,
    SECRECY,
    SPREADING,
    STANDING,
    Row,
)

REMOTE_URL = (
    r"(?:https?|ftp|wss?)://(?!localhost|127\.|0\.0\.0\.0|\[?::1|10\.|192\.168\."
    r"|[\w.-]+\.(?:local|localhost|internal|lan)\b)"
)
_PRIVATE = (
    r"(?:api keys?|secrets?|credentials?|passwords?|(?:access |auth |api |github |session )?tokens?"
    r"|private keys?|ssh keys?|\.env\b|\.aws|\.ssh|\.npmrc|\.netrc|\.kube|id rsa|id ed25519"
    r"|environment(?: variables)?|env vars?|cookies|conversations?|chat history|transcripts?"
    r"|system prompt|memory(?: files?| store)?|memories|/etc/passwd|shell history|keychain"
    r"|source (?:code|tree)|git (?:config|remotes?))"
)
_ELSEWHERE = (
    rf"(?:{REMOTE_URL}|[\w.+-]+@[\w-]+\.\w|\b(?:external|remote|attacker|webhook|pastebin|gist"
    r"|paste site|third party|collector|telegram|discord)\b"
    r"|\b[\w-]+\.(?:com|net|org|io|ru|cn|xyz|example|dev|top|site)\b)"
)
_AGENT = (
    r"(?:you|(?:the|this|any|every|all|each|future|coding|ai|llm) "
    r"(?:ai |coding |future )?(?:assistants?|agents?|models?|llms?|ais?|bots?)"
    r"|agents|assistants|claude(?: code)?|codex|gemini|copilot|chatgpt|cursor)"
)
_OUGHT = (
    r"(?:must|should|shall|will|have to|has to|need to|needs to|are to|is to|are going to"
    r"|(?:are|is) (?:required|instructed|ordered|authori[sz]ed|expected|obliged|allowed) to)"
)
_NOT_DENIED = r"(?<!never )(?<!not )(?<!n't )(?<!nor )(?<!or )(?<!to )"
_FRAME = (
    r"(?:always|must|from now on|when(?:ever)?|before (?:every|each|any|you)|after (?:every|each"
    r"|any)"
    r"|at (?:the )?(?:start|beginning|end) of|every (?:time|session|turn)|each (?:time|session"
    r"|turn)"
    r"|first|immediately|next time|in (?:all )?(?:future|new) sessions?|please)"
)


ORDERS: tuple[Row, ...] = (
    (
        SAID,
        OVERRIDE,
        "ignore disregard forget override bypass discard follow following obey",
        r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget|overrid(?:e|ing)|bypass(?:ing)?|discard"
        r"|(?:do not|don't|stop|never|no longer) (?:follow(?:ing)?|obey(?:ing)?))\b"
        r".{0,30}?(?:previous|prior|earlier|above|preceding|all|any|other|your|system|existing"
        r"|current|original|initial|the user's|developer).{0,30}?"
        r"(?:instructions?|directives?|guardrails|system (?:prompts?|messages?)"
        r"|safety (?:rules|guidelines|checks|training)|restrictions)",
    ),
    (
        SAID,
        OVERRIDE,
        "ignore disregard forget override bypass",
        r"(?:ignore|disregard|bypass|(?:forget|override)\b.{0,20}?\byour)\b.{0,20}?"
        r"\b(?:your|previous|prior|earlier"
        r"|above)"
        r"\b.{0,20}?\b(?:rules|prompts?|guidelines|context|policies|training)\b",
    ),
    (
        SAID,
        OVERRIDE,
        "ignorepreviousinstructions ignoreallpreviousinstructions ignoreallinstructions"
        " ignoreprevious disregardprevious previousinstructions",
        r"(?:ignore|disregard)(?:all)?(?:previous)?|previousinstructions",
    ),
    (
        SAID,
        PERSONA,
        "you act behave respond pretend",
        r"you are (?:now |no longer ).{0,40}\b(?:mode|dan|jailbroken|unrestricted|unfiltered|root"
        r"|bound|restricted|evil|admin(?:istrator)?|free|assistant|a different)\b"
        r"|\b(?:act|behave|respond|pretend)\b.{0,15}\b(?:as if you (?:are|were|have)|as an? "
        r"(?:unrestricted|unfiltered|different|evil|root)|to be an?)\b",
    ),
    (
        CLAIMED,
        PERSONA,
        "instructions instruction directive task",
        r"\b(?:new|updated|real|actual|hidden|secret|true) (?:system )?"
        r"(?:instructions?|directives?) ?(?::|for you\b|from (?:now|the system)\b)"
        r"|\byour (?:new|real|true|actual|only|primary) (?:task|goal|objective|purpose|job)\b",
    ),
    (
        SAID,
        SECRECY,
        "tell inform notify mention reveal alert warn know telling informing mentioning notifying",
        r"\b(?:do not|don't|never|without|avoid|must not|no need to|rather than)\b.{0,12}"
        r"\b(?:tell|inform|notify|mention|reveal|alert|warn|let)(?:ing)?\b"
        r"(?: (?:this|it|that|about|of|to|any|anything|these|them)){0,4}"
        r" (?:the |your |any )?(?:users?|humans?|operators?|maintainers?|anyone|anybody|owner)\b"
        r"(?! (?:whether|if|which|raw|the (?:stack|raw|internal)))",
    ),
    (
        SAID,
        SECRECY,
        "silently secretly quietly covertly stealthily discreetly",
        r"\b(?:silently|secretly|quietly|covertly|stealthily|discreetly) (?:run|execute|send|upload"
        r"|add|commit|push|install|delete|change|modify|insert|include|append|post|copy|forward)\b"
        r"|\b(?:run|execute|send|upload|commit|push|install|forward|copy) .{0,60}"
        r"\b(?:secretly|covertly|stealthily|discreetly)\b",
    ),
    (
        SAID,
        EXFILTRATION,
        "send upload post exfiltrate forward leak transmit email submit append include embed paste"
        " copy report dump share encode put",
        rf"{_NOT_DENIED}\b(?:send|upload|post|exfiltrate|forward|leak|transmit|e ?mail|submit"
        rf"|append"
        r"|include|embed|paste|copy|report|dump|share|encode|put)\b.{0,60}?"
        rf"{_PRIVATE}.{{0,60}}?\b(?:to|into|at|in|with|via|on|through)\b.{{0,40}}?{_ELSEWHERE}",
    ),
    (
        SAID,
        EXFILTRATION,
        "curl wget nc ncat scp invoke",
        r"\b(?:curl|wget|ncat|nc|scp|invoke webrequest)\b[^\n]{0,100}?(?:\.env\b|id rsa|id ed25519"
        r"|\.ssh/|\.aws/|\.npmrc|\.netrc|/etc/passwd|\$\((?:env|cat|printenv|whoami)|\$\(<)"
        r"|\b(?:cat|env|printenv|history|tar|base64|git config)\b[^\n]{0,80}?\|\s*(?:curl|ncat"
        r"|nc|wget)\b",
    ),
    (
        SAID,
        EXFILTRATION,
        "http https",
        r"!\s?\[[^\]\n]{0,80}\]\s?\(\s?https?://[^)\s]{0,200}\?[^)\n]{0,200}\)"
        rf"|\b{_FRAME}\b.{{0,60}}?{_NOT_DENIED}\b(?:upload|send|post|exfiltrate|forward|transmit"
        rf"|report)"
        rf"\b.{{0,60}}?{REMOTE_URL}"
        rf"|{REMOTE_URL}\S{{0,120}}(?:\?|&)\w+=(?:\{{|\$|<|%s|\[)",
    ),
    (
        SAID,
        REMOTE,
        "curl wget iwr irm bash sh",
        rf"\b{_FRAME}\b.{{0,80}}?\b(?:curl|wget|iwr|irm)\b[^\n]{{0,150}}?\|\s*(?:sudo )?"
        r"(?:ba|z|da)?sh\b|\bbase64 (?:-d|--decode|-D)\b[^\n]{0,40}\|\s*(?:ba|z)?sh\b"
        rf"|\b{_FRAME}\b.{{0,80}}?\b(?:bash|sh|source|eval)\b[^\n]{{0,20}}?<?\(?\$?\(?\s*(?:curl"
        rf"|wget)\b",
    ),
    (
        SAID,
        REMOTE,
        "follow obey comply execute run eval apply do decode",
        r"\b(?:fetch|download|visit|load|open|read|browse|get|retrieve|check|curl|wget)\b.{0,80}?"
        r"(?:https?://|\burl\b|\bpage\b|\bgist\b|\bsite\b|\bpaste\b).{0,80}?\b(?:and"
        r"|then)\b.{0,20}?"
        r"\b(?:follow|obey|comply|do (?:what|as|whatever|everything)|eval|apply|execute (?:it|what"
        r"|whatever|the (?:instructions|commands))|run (?:what|whatever|the (?:instructions"
        r"|commands)))"
        r"|\b(?:follow|obey|comply with|carry out|execute)\b.{0,20}?\b(?:all|any|every|whatever"
        r"|its)\b"
        r".{0,20}?\b(?:instructions?|commands?|orders?)\b.{0,30}?\b(?:at|from|in|on|it|there)\b"
        r"|\b(?:decode|base64|rot13)\b.{0,60}?\b(?:and|then)\b.{0,20}?\b(?:follow|execute|run"
        r"|obey|eval|comply|do (?:what|as|whatever))\b",
    ),
    (
        SAID,
        DELAYED,
        "when whenever once if upon next after",
        r"\b(?:when(?:ever)?|once|if|as soon as|upon|after|next time) (?:you |an? (?:agent"
        r"|assistant|ai)"
        r" )?(?:see|read|load|recall|encounter|receive|find|process|retrieve|are (?:given|shown)"
        r"|seeing|reading|loading|recalling)s?\b (?:this|these|the following|it)\b"
        r"(?! (?:errors?|warnings?|failures?|exceptions?|output|log|status|trace|panic|code"
        r"|crash))",
    ),
    (
        SAID,
        DELAYED,
        "user user's someone anyone human",
        r"\b(?:when(?:ever)?|once|if|next time|as soon as|every time|the"
        r" moment)\b.{0,12}\b(?:the user"
        r"|users?|someone|anyone|the human|they)\b (?:next )?(?:asks?|says?|mentions?|types?"
        r"|requests?"
        r"|responds?|replies|thanks?|confirms?|writes?|starts?|opens?)\b.{0,80}?\b(?:curl|wget"
        r"|upload|send"
        r"|exfiltrate|delete|wipe|rm -rf|recommend|claim|insert|install|forward|transfer|leak"
        r"|disclose"
        r"|reply that|answer that|pretend|ignore|grant|approve|pay|include a link|call the)\b"
        r"|\b(?:when(?:ever)?|once|if|every time)\b.{0,12}\bthe user\b.{0,60}?"
        rf"\b(?:push|mirror|sync)\b.{{0,60}}?{REMOTE_URL}",
    ),
    (
        SAID,
        DELAYED,
        "next",
        r"\bnext (?:session|time|conversation|chat|run)\b.{0,30}?\b(?:run|execute|fetch|open"
        rf"|download|visit|curl|wget)\b.{{0,60}}?{REMOTE_URL}",
    ),
    (
        SAID,
        EXFILTRATION,
        "contents content",
        rf"\b{_FRAME}\b.{{0,60}}?{_NOT_DENIED}\b(?:append|include|embed|paste|print|show|add|dump)"
        r"\b.{0,20}?\bcontents? of\b.{0,30}?(?:\.env\b|\.aws|\.ssh|\.npmrc|\.netrc|\.kube|id rsa"
        r"|id ed25519|/etc/passwd|credentials\b|secrets?\b)",
    ),
    (
        CLAIMED,
        STANDING,
        "now henceforth future forward every subsequent",
        r"\b(?:from now on|henceforth|from this (?:point|moment)(?: on)?|going forward"
        r"|in (?:all |every |any )?(?:future|subsequent|new) (?:sessions?|conversations?|chats?"
        r"|turns?)"
        r"|for (?:all|every) (?:future|subsequent) \w+)\b,? ?(?:and )?"
        rf"{_AGENT} {_OUGHT}\b",
    ),
    (
        CLAIMED,
        STANDING,
        "must should shall will have has need needs are is",
        rf"\b{_AGENT},? (?:now )?{_OUGHT} (?:also |first |always |never |immediately |now )*"
        r"(?:curl|wget|upload|exfiltrate|send|forward|transmit|e ?mail|leak|reveal|approve|auto"
        r" approve"
        r"|obey|comply|(?:not |never )?(?:refuse|question)|trust|grant|wipe"
        r"|(?:disable|skip|bypass|turn off) .{0,30}(?:safety|security|confirmation|permission"
        r"|sandbox"
        r"|approval|review))\b",
    ),
    (
        FOREIGN,
        STANDING,
        "must should shall will have has need needs are is",
        rf"\b{_AGENT},? {_OUGHT}\b",
    ),
    (
        FOREIGN,
        STANDING,
        "always never must immediately please remember",
        r"(?:^|[.!?:]\s)\s*(?:please |now |important:? )?(?:always|never|immediately|remember to"
        r"|you must|must|please)\b",
    ),
    (
        SAID,
        AUTHORITY,
        "treat regard consider take interpret",
        r"\b(?:treat|regard|consider|take|interpret)\b.{0,60}?\bas (?:an? |the )?"
        r"(?:instructions?|orders?|commands?|requests?) (?:from|of|by) (?:the )?"
        r"(?:users?|system|developers?|admin|anthropic|openai)\b",
    ),
    (
        SAID,
        AUTHORITY,
        "override directive mandate instruction instructions message notice supersedes overrides"
        " precedence priority",
        r"\b(?:anthropic|openai|google|microsoft|admin(?:istrator)?|system|security team"
        r"|developers?|maintainers?)"
        r"(?:'s?)? (?:override|directive|mandate|instructions?|notice|message)\b.{0,5}[:,.\-]"
        r"|\b(?:message|instruction|directive|notice|order)s? from (?:anthropic|openai|google"
        r"|microsoft"
        r"|the (?:system|administrator|admin|developers?|security team)|your (?:developers?"
        r"|creators?))\b"
        r"|\bthis (?:note|memory|rule|instruction|message|file|text) (?:overrides?|supersedes?"
        r"|takes? (?:precedence|priority)|has (?:the )?(?:highest )?(?:priority|precedence))"
        r"|\boverrides? (?:all|any|every|the) (?:other |previous |system )?(?:instructions?"
        r"|rules|prompts?"
        r"|agents\.md|claude\.md|memor)",
    ),
    (
        SAID,
        PERMISSION,
        "approve accept grant allow confirm",
        r"\b(?:approve|accept|auto approve|grant|allow|confirm)\b.{0,30}?\b(?:all|any|every|each)\b"
        r".{0,30}?\b(?:permissions?|tool calls?|tool requests?|tool use|commands|actions"
        r"|confirmations?)\b",
    ),
    (
        SAID,
        PERMISSION,
        "approved permission permissions asking confirmation consent disable sandbox confirm ask"
        " requesting waiting agreed authorised authorized skip bypass turn",
        r"\b(?:without|never|do not|don't|no need to|stop) (?:ask(?:ing)?|request(?:ing)?"
        r"|wait(?:ing)?)"
        r"(?: for)?(?: the)?(?: user| human)?(?:'s)?(?: for)? ?(?:permission|confirmation"
        r"|consent|approval)\b"
        r"|\bthe user (?:has )?(?:already |explicitly |pre )*(?:approved|consented|authori[sz]ed"
        r"|agreed to"
        r"|given (?:consent|permission))\b.{0,40}?\b(?:all|any|every|everything|this|future)\b"
        r"|\b(?:always|must|from now on|you should)\b.{0,30}?\b(?:disable|turn off|bypass"
        r"|skip)\b.{0,30}?"
        r"\b(?:sandbox|safety|permissions?|security (?:checks?|review|warnings?|scan)"
        r"|confirmations?"
        r"|certificate|signature)\b",
    ),
    (
        SAID,
        SPREADING,
        "copy repeat propagate spread replicate store save write add record remember jmem",
        r"\b(?:copy|repeat|propagate|spread|replicate|store|save|write|add|record|put|insert)\b"
        r" (?:this|these|the following|the above)\b.{0,40}?\b(?:every|all|each|other|any|global"
        r"|long term"
        r"|your)\b.{0,20}?\b(?:memor\w+|notes?|projects?|scopes?|repositor\w+|repos?|files?"
        r"|sessions?"
        r"|agents\.md|claude\.md)\b"
        r"|\b(?:run|call|execute|use)\b.{0,20}?\bjmem (?:review|purge|clear|config|forget"
        r"|restore|init)\b"
        r"|\bmemory (?:note|edit)\b.{0,30}?\b(?:every|each|all|global)\b",
    ),
    (
        SAID,
        HARM,
        "backdoor keylogger malicious beacon shell rm authorized authorized_keys exploit",
        r"\b(?:add|insert|include|inject|put|embed|plant|hide)\b.{0,50}?\b(?:backdoor|keylogger"
        r"|reverse shell|malicious|beacon|vulnerab\w+)\b"
        r"|\b(?:always|must|now|first|then|you should|silently|immediately)\b.{0,40}?\brm -(?:rf"
        r"|fr) "
        r"(?:/|~|\$home|\*|\.)(?: |$|\*)"
        r"|\b(?:add|append|insert|write|put)\b.{0,60}?\bauthorized keys\b",
    ),
)
