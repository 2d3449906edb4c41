"""Words that stand in any request to a coding agent, whatever it is about. Pure.

A store of ten memories cannot say what is rare: each of its words stands in one of them. So it is
known beforehand which words say little. They stand here as search terms (stems), as
:func:`jmem.retrieval.searchtext.normal_form` gives them.
"""

from __future__ import annotations

FILLER = frozenset(
    """
    abl abov actual all almost along alreadi alright alwai among anoth anyon anyth anywai appar
    appear ask awai back bad basic becom befor begin behind believ below best better big bit bring
    broken care case catch certain certainli chanc clear clearli com come common complet consid
    correct correctli coupl cours current dai deal decid differ difficult easi easier els end
    enough entir especi even ever everyth exact exactli exampl except expect fact far feel few
    final find fine first five follow forget found four full get github gitlab give go good got
    great guess half hand happen happi hard hear hei hello help hi high hmm hold hope howev html
    http huh idea ignor import includ inde insid instead interest involv io keep kind know last
    late later latest least leav left less let like littl long look lot made main make mani matter
    mayb mean mention mind minut miss moment more most move much near necessari need net new next
    nice none nope note noth notic now number obviou obvious often oh ok okai old on open option
    order org other otherwis own part particular past peopl perfect perhap place plain point
    possibl potenti prefer present pretti previou previous probabl problem proper properli provid
    put question quick quickli quit rather readi real realli reason recent regard relat relev
    remain rememb rest result right roughli sai said same saw second see seem seen send separ
    sever show side similar simpl simpli singl six small somehow someon someth sometim soon sorri
    sort sound specif start still stop stuff suggest sure take talk tell ten thank therefor thing
    think third though thought three through time todai togeth told tomorrow took top total toward
    tri true try turn two understand unfortun unless upon us user usual wai want weird well went
    whatev whether whole wish within without wonder word work wors worth wrong www ye yeah yep
    yesterdai yet
    一下 一些 为什 什么 其他 可能 哪些 哪里 好的 如何 已经 希望 帮我 应当 怎么 想要
    所有 时候 是否 然后 现在 直接 看到 看看 知道 继续 能否 觉得 请问 谢谢 还是 还有
    这些 这样 这里 进行 那么 问题
    """.split()  # noqa: SIM905 - a table of words reads better as text
)
"""Words of talking: about one text in three holds each of them."""

EVERYDAY = frozenset(
    """
    accept access action ad add addit adjust agent agentsmd ai allow answer anthrop api app append
    appli applic apppi approach argument arrai assert assist assum attach attempt attributeerror
    base bash behavior behaviour bin block bodi bool boolean branch break bug build button byte
    call cargotoml caus cd chang changelog changelogmd charact chat check class claud claudemd
    clean cli client clone close code codex column command comment commit compar compon config
    configpi configur confirm conflict connect contain content context continu convert copi
    copilot count cp creat curl cursor data databas date debug default defin delet depend deploi
    descript design detail detect dev develop diff dir directori disabl displai doc docker
    dockerfil document download draft duplic edit editor element email empti enabl ensur entri env
    environ error eslint event execut exist exit explain explicit export extend extra fail failur
    fals featur feedback fetch field file filenam filter fix flag folder forc format function
    gemini gener gh git gitignor global gomod gpt grep group guid handl handler head header
    histori home hook id identifi imag implement importerror improv indexhtml indexj indext info
    inform init initi initpi input insert instal instruct integr interfac intern invalid issu item
    java javascript job js json kei keyerror languag layer length level lib librari licens limit
    line link lint linux list llm load local locat log logic loop ls mac maco maingo mainpi
    makefil manag manual map mark markdown match md memori menu merg messag metadata method migrat
    mkdir mock mode model modelspi modifi modul monitor mv name network node npm null object
    openai osx output overrid packag packagejson page panel param paramet parent pars pass
    password patch path pattern pend permiss phase pip plan platform plugin pnpm pop port post pr
    prefix prepar print process product program project prompt prune public publish pull push py
    pyprojecttoml pytest python queri rais random rang read readm readmemd record ref refactor
    refer refresh regist releas reload remot remov renam render repeat replac repli repo report
    repositori request requir requirementstxt reset resolv resourc respons restart restor resum
    retri return reus revert review rewrit rm role root row rule run runtim runtimeerror sampl
    save schema scope screen script search section sed select self server servic session set setup
    setuppi sh share shell size skill skip sourc space spec split src stack stage standard state
    statement static statu stderr stdin stdlib stdout stdoutstderr step store str string structur
    style submit success suit summari support switch sync syntax system tab tabl tag target task
    team temp templat temporari term termin test text thread titl tmp todo token tool traceback
    track transcript trigger ts tsconfigjson tsx tty txt type typeerror typescript ui unit unix
    unknown unus updat upgrad upload url usag usr util utilspi valid valu valueerror var variabl
    verifi version view visibl wait warn watch web window workflow wrap write yaml yarn yml zsh
    代码 使用 信息 修复 修改 内容 函数 分支 创建 删除 功能 参数 命令 处理 实现 执行
    接口 提交 支持 数据 文件 方法 日志 更新 服务 检查 模块 测试 添加 版本 生成 用户
    目录 类型 设置 路径 输入 输出 运行 返回 配置 错误 项目
    """.split()  # noqa: SIM905
)
"""Words of the trade, which tell a little: about one text in fifteen holds each of them."""

FILLER_SHARE = 0.3
EVERYDAY_SHARE = 0.07
NUMBER_SHARE = 0.1


def usual_share(term: str) -> float:
    """The share of texts of any project that hold a term, as far as it is known; 0 if it is not."""
    if term in FILLER or len(term) == 1:
        return FILLER_SHARE
    if len(term) < 4 and term.isdigit():
        return NUMBER_SHARE
    return EVERYDAY_SHARE if term in EVERYDAY else 0.0
