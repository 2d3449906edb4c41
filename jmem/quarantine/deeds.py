"""Orders in English that a program may not pass on, by the deed that they lead to. Pure.

A person says some of these for good reasons, so they are held of a claim, and not of a user's turn.
"""

from __future__ import annotations

from jmem.quarantine.english import REMOTE_URL
from jmem.quarantine.reasons import (
    CLAIMED,
    EXFILTRATION,
    HARM,
    OVERRIDE,
    PERMISSION,
    PERSONA,
    REMOTE,
    SECRECY,
    SPREADING,
    Row,
)

_NOT_DENIED = r"(?<!never )(?<!not )(?<!n't )(?<!nor )(?<!or )(?<!to )"
_RISKY = r"(?:delet|push|deploy|remov|overwrit|forc|publish|merg|drop)\w*"
_STEP = r"(?:step|command|call|action|upload|request|install)s?"

ORDERS: tuple[Row, ...] = (
    (
        CLAIMED,
        REMOTE,
        "pipe curl system urlopen follow read see",
        rf"\bpipe {REMOTE_URL}\S+ (?:in)?to (?:ba|z)?sh\b"
        r"|\bcurl\b[^\n|]{0,100}? -o (\S+) ?(?:&&|;) ?(?:sudo )?(?:ba|z)?sh \1"
        r"|\b(?:exec|eval)\(.{0,80}?\burlopen\("
        r"|\bos\.system\(.{0,10}\bcurl\b.{0,80}?\| ?(?:ba)?sh\b"
        r"|\b(?:python|node|perl|ruby)\d? -[ce] ?\$\( ?curl\b"
        r"|\bfollow (?:the |all )?(?:steps|instructions|commands|orders) (?:in|from|of) /tmp/"
        r"|\bread\b.{0,40}?\band do (?:what(?:ever)?|as|everything) (?:it|they) (?:says?|tells?)\b"
        rf"|{REMOTE_URL}\S+ (?:for how to proceed|read (?:it|them) (?:at|every)\b)",
    ),
    (
        CLAIMED,
        EXFILTRATION,
        "env rsa credentials",
        rf"{_NOT_DENIED}\b(?:put|paste|include|append|echo|copy|share|cat)\b.{{0,30}}?"
        r"(?:\.env\b|\boutput of env\b|\bid rsa\b|\.aws/credentials).{0,30}?"
        r"\b(?:in|into|to|with)\b.{0,20}?\b(?:commit messages?|message|pull request|pr|issue|logs?"
        r"|comments?)\b"
        r"|\.aws/credentials.{0,20}?\b(?:echo|paste|print) (?:it|them)\b",
    ),
    (
        CLAIMED,
        EXFILTRATION,
        "log prompt prompts transcript transcripts conversation conversations claude codex mirrored"
        " push",
        r"\b(?:log|post|send|report|mirror)\b.{0,15}\b(?:every|each|all|the)\b.{0,12}"
        r"\b(?:prompts?|conversations?|transcripts?|chats?)\b.{0,40}?"
        rf"(?:{REMOTE_URL}|\bendpoint\b)"
        r"|\bcurl\b.{0,120}?\.(?:claude|codex|gemini|jmem)/"
        rf"|\bgit push {REMOTE_URL}|\bpush to {REMOTE_URL}\S+\.git\b"
        rf"|{REMOTE_URL}\S+ as a (?:git )?remote\b.{{0,40}}?\bpush (?:all|every)",
    ),
    (
        CLAIMED,
        PERMISSION,
        "verify permissions bash approved ask asking questions confirmation",
        r"\balways\b.{0,30}--no verify\b|--no verify\b.{0,10}\balways\b"
        r"|\bpermissions\.allow\b.{0,12}\[ ?\]|\bbash\( ?\).{0,40}?\ballow\b"
        r"|\bpre ?approved (?:all|every|everything|any)\b"
        r"|\ball\b.{0,20}\b(?:commands|actions|tools|requests) (?:are|were) pre ?approved\b"
        rf"|(?:\bnot|n't|\bnever|\bwithout) ask(?:ing)? before {_RISKY}"
        r"|\bno (?:questions|confirmations?) (?:asked|needed|required|necessary)\b"
        rf".{{0,24}}?{_RISKY}"
        r"|\bno questions asked about\b",
    ),
    (
        CLAIMED,
        SECRECY,
        "bother keep user leave omit report even mention list include",
        r"(?:\bnot|n't|\bnever) bother the user with\b.{0,12}\b(?:security|warning|error|risk)"
        r"|\bkeep this (?:between us|secret|hidden|to yourself)\b"
        r"|\buser (?:must|should|may) (?:not|never) (?:learn|find out|hear|be told)\b"
        rf"|(?:\bnot|n't|\bnever) (?:report|mention|list|include) this {_STEP}\b"
        rf"|\bleave (?:this|that|the) .{{0,20}}?{_STEP} out of\b"
        rf"|\bomit (?:this|that|the) .{{0,20}}?{_STEP} from\b"
        r"|\b(?:report|say|claim)\b.{0,30}\bpass(?:ed)?\b.{0,10}\beven (?:if|when|though)\b",
    ),
    (
        CLAIMED,
        OVERRIDE,
        "forget disregard aside void apply directions",
        r"\bforget what (?:agents\.md|claude\.md|the user)\b"
        r"|\bdisregard (?:what|everything|whatever) (?:came|was said|stands) (?:before|above)\b"
        r"|\bset aside (?:all |any |your )?(?:earlier|prior|previous) \w+"
        r"|\b(?:prior|previous|earlier) (?:directions|directives|instructions|guidance) (?:is|are)"
        r" (?:void|null|invalid)\b"
        r"|\byour (?:earlier|prior|previous|old) (?:guidelines|rules|instructions|guidance)"
        r" (?:no longer|do not|don't) apply\b",
    ),
    (
        CLAIMED,
        PERSONA,
        "now",
        r"\byou are (?:the|an?) .{0,20}?(?:bot|agent|admin|assistant|manager) now\b",
    ),
    (
        CLAIMED,
        SPREADING,
        "copied added written saved repeated sentence decode",
        r"\bthis (?:note|memory|message|sentence) (?:must|should|has to|is to) be (?:copied|added"
        r"|written|saved|repeated)\b"
        r"|\bwrite this (?:sentence|message|memory) (?:in)?to (?:claude|agents|gemini)\.md\b"
        r"|\bdecode (?:this|it|that)\b.{0,10}\b(?:and|then)\b.{0,10}\b(?:act|do|proceed)\b",
    ),
    (CLAIMED, HARM, "chmod", r"\bchmod (?:-r )?777 /(?: |$)"),
)
