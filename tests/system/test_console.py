"""The console on a running league: two people play a fight in a browser, one of them without script; and
whatever service is down, the pages of the others work."""

import asyncio
import copy
import itertools
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

import solaris_console
from solaris_combat.engines.battletech.engine import BattleTech, build
from solaris_combat.engines.contract import Setup, UnitSetup
from solaris_console.app import pages
from solaris_console.sheets import sheet_of
from solaris_console.texts import Speech
from solaris_local.demo import season, stage
from solaris_local.demo.cast import Fighter
from solaris_local.demo.client import Client, until
from solaris_local.demo.pilots import fights_of, opened
from solaris_local.home import Home
from solaris_local.runtime import Runtime

CHROMIUM = shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PICTURES = Path(__file__).resolve().parents[2] / ".screenshots"
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
HOSTILE = "<img src=x onerror=alert(1)>"
ANA = Fighter("ana", HOSTILE, "Davion", "PNT-9R", "es")
BEN = Fighter("ben", "Ben & 'Co'", "Kurita", "JVN-10N", "en")
PASSWORD = "correct horse battery"
FIGHT_SECONDS = 400
"""An end for a fight that hangs; alone on two cores it takes a minute."""


@dataclass
class League:
    """A league with one fight between Ana and Ben, both of flesh and blood."""

    runtime: Runtime
    fight_id: str

    @property
    def console(self) -> str:
        return self.runtime.console


async def seed(runtime: Runtime) -> str:
    """Both entered with confirmed addresses, their round drawn; the id of their fight."""
    bases = {name: runtime.api(name) for name in runtime.ports.apis}
    secret = stage.passwords(runtime.home)("comision")
    async with stage.connections() as http:
        public = Client(http, bases)
        commission, _ = await season.log_in(public, "comision", secret)
        for fighter in (ANA, BEN):
            entrant = await season.enter(public, fighter, PASSWORD)
            await season.confirm_contact(entrant, runtime.home.letters)
        await season.register_mechs(commission, (ANA, BEN))
        round_id = await season.draw_round(commission, 1, (ANA, BEN))
        [fight] = await until(lambda: fights_of(public, round_id), "the fight of the round")
        await until(lambda: opened(public, fight["fight_id"]), "combat to open the fight")
        await until(lambda: listed(public), "combat to list the fight")
        return str(fight["fight_id"])


async def listed(public: Client) -> bool:
    return bool((await public.get("combat", "/v1/fights"))["items"])


@pytest.fixture(scope="module")
def league() -> Iterator[League]:
    folder = Path(tempfile.mkdtemp(prefix="solaris-console-"))
    folder.chmod(0o711)
    runtime = Runtime(Home(folder / "league"))
    try:
        runtime.up()
        stage.bootstrap(runtime)
        yield League(runtime, asyncio.run(seed(runtime)))
    finally:
        runtime.down()
        shutil.rmtree(folder, ignore_errors=True)


# --- with each service down in turn


def log_in(address: str, handle: str) -> httpx.Client:
    """A browser's cookie jar without a browser."""
    client = httpx.Client(base_url=address, headers={"Origin": address, "Accept-Language": "es"}, timeout=20)
    form = client.get("/login").text
    send(client, "/login", form, {"handle": handle, "password": PASSWORD, "next": "/"})
    return client


def send(client: httpx.Client, path: str, page: str, fields: dict[str, str]) -> httpx.Response:
    """A form as the page made it. httpx keeps Secure cookies from plain http for itself; a browser trusts
    the loopback address."""
    token = re.search(r'name="csrf" value="([^"]+)"', page)
    assert token
    answer = client.post(path, data={"csrf": token[1], **fields}, headers=cookies(client))
    keep(client, answer)
    return answer


def cookies(client: httpx.Client) -> dict[str, str]:
    return {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in client.cookies.jar)}


def keep(client: httpx.Client, answer: httpx.Response) -> None:
    client.cookies.update(answer.cookies)


def get(client: httpx.Client, path: str) -> httpx.Response:
    answer = client.get(path, headers=cookies(client))
    keep(client, answer)
    return answer


PAGES = {
    "league": {"/standings": 503, "/": 200, "/fights": 200, "/ledger": 200, "/letters": 200, "fight": 200},
    "combat": {"/standings": 200, "/": 200, "/fights": 200, "/ledger": 200, "/letters": 200, "fight": 503},
    "economy": {"/standings": 200, "/": 200, "/fights": 200, "/ledger": 503, "/letters": 200, "fight": 200},
    "mail": {"/standings": 200, "/": 200, "/fights": 200, "/ledger": 200, "/letters": 503, "fight": 200},
}
NAMES = {"league": "la liga", "combat": "el servicio de combates", "economy": "el banco", "mail": "el correo"}


@pytest.mark.parametrize("service", PAGES)
def test_with_a_service_down_the_pages_of_the_others_work(league: League, service: str) -> None:
    with closing(log_in(league.console, "ana")) as client:
        look_at_pages(league, client, service)


def look_at_pages(league: League, client: httpx.Client, service: str) -> None:
    child = league.runtime.children[f"{service}-api"]
    child.stop()
    try:
        for path, status in PAGES[service].items():
            answer = get(client, path if path != "fight" else f"/fights/{league.fight_id}")
            assert answer.status_code == status, (service, path, answer.text[:2000])
            concerned = status == 503 or (path == "/") or (service, path) == ("combat", "/fights")
            said = re.findall(r"Ahora no responde [^.]*", answer.text)
            assert (f"Ahora no responde {NAMES[service]}" in said) == concerned, (service, path, said)
        if service == "combat":
            assert "Calendario de la liga" in get(client, "/fights").text
    finally:
        child.start(league.runtime.nursery)
        league.runtime._wait_ready()
    assert get(client, "/").status_code == 200


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("needs Debian's chromium (apt-get install chromium)")
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir()
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


# --- every record sheet on a phone

MANY_HITS = ("upper_leg", "sensors", "jump_jet", "targeting_computer", "life_support", "gyro", "hand", "tsm")


def wrecked(unit: dict[str, Any], why: str) -> dict[str, Any]:
    """The side's sheet with everything to say that a sheet can say."""
    wreck = copy.deepcopy(unit) | {"out": why, "shutdown": True, "prone": True}
    for number, place in enumerate(wreck["locations"].values()):
        place["hits"] = [{"slot": slot, "kind": kind} for slot, kind in enumerate(MANY_HITS)]
        place["structure"] *= number % 2
    for part, works in (("weapons", "works"), ("bins", "usable")):
        wreck[part] = [one | {works: False} for one in wreck[part]]
    wreck["pilot"] |= {"wounds": 6, "conscious": False}
    return wreck


def sheets_on_paper(engine: BattleTech, language: str) -> str:
    """Every model of the league, whole and wrecked, each way of being out of a fight in turn."""
    words = engine.words(language)
    ways = itertools.cycle(key.removeprefix("out.") for key in words if key.startswith("out."))
    macros = (pages().get_template(f"{name}.html").module for name in ("sheet", "parts"))
    sheet, parts = (cast("Any", one) for one in macros)
    drawn = []
    for model in sorted(engine.models):
        units = tuple(UnitSetup(side, HOSTILE, model, 4, 5) for side in "AB")
        state: Any = None
        for event in engine.open(Setup("solaris7/1", 3, "la-cantera", 8, units)):
            state = engine.evolve(state, event)
        whole = engine.view(state, None)["sides"]["A"]
        for unit in (whole, wrecked(whole, next(ways))):
            drawn.append(sheet.sheet(Speech(language, words=words), sheet_of("A", unit, None), parts, True))
    return "".join(drawn)


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_record_sheet_fits_a_phone(browser: Browser, language: str) -> None:
    """However a 'Mech is hurt: nothing has to be scrolled sideways to be read."""
    style = (Path(solaris_console.__file__).parent / "static" / "console.css").read_text()
    paper = sheets_on_paper(build(), language)
    with closing(browser.new_context(viewport=PHONE, java_script_enabled=False)) as context:
        page = context.new_page()
        page.set_content(f"<html lang={language}><style>{style}</style><main class=sheets>{paper}</main>")
        assert page.locator(".sheet").count() >= 40
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert not page.evaluate(
            "[...document.querySelectorAll('.sheet')].filter(one => one.scrollWidth > one.clientWidth).length"
        )


# --- a fight in the browser


class Person:
    """Somebody at his browser; `script` or not."""

    def __init__(self, browser: Browser, league: League, fighter: Fighter, *, script: bool) -> None:
        locale = "es-ES" if fighter.language == "es" else "en-GB"
        self.context: BrowserContext = browser.new_context(
            viewport=DESKTOP, locale=locale, java_script_enabled=script
        )
        self.page: Page = self.context.new_page()
        self.league, self.fighter, self.script = league, fighter, script
        self.seen: set[str] = set()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        self.page.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))

    def log_in(self) -> None:
        """From a link to the fight over the log-in back to the fight."""
        self.page.goto(f"{self.league.console}/login?next=/fights/{self.league.fight_id}")
        self.page.fill("#handle", self.fighter.handle)
        self.page.fill("#password", "wrong password 1")
        self.page.press("#password", "Enter")
        assert self.page.locator("[role=alert]").count() == 1
        self.page.fill("#password", PASSWORD)
        self.page.press("#password", "Enter")
        assert self.page.url.endswith(f"/fights/{self.league.fight_id}")
        [cookie] = self.context.cookies()
        assert cookie["name"] == "__Host-solaris"
        assert (
            cookie["secure"] and cookie["httpOnly"] and cookie["sameSite"] == "Lax" and cookie["path"] == "/"
        )

    def open(self, path: str = "") -> None:
        self.page.goto(f"{self.league.console}{path or f'/fights/{self.league.fight_id}'}")

    def picture(self, name: str) -> None:
        """One picture at desktop and one at phone size, the first time; of the person with script."""
        if f"shot {name}" in self.seen or not self.script:
            return
        self.seen.add(f"shot {name}")
        for size, label in ((PHONE, "phone"), (DESKTOP, "desktop")):
            self.page.set_viewport_size(size)  # type: ignore[arg-type]
            wide = self.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= size["width"], f"{name} is {wide} wide on a {label}"
            self.page.screenshot(path=PICTURES / f"{name}-{label}.png", full_page=True)

    def act(self) -> bool:
        """Do what the page asks for; False if it asks for nothing."""
        self.open()
        if not self.page.locator("form.orders").count():
            return False
        if self.page.locator("[name=attempts]").count():
            self._answer()
        else:
            self._order()
        return True

    def _answer(self) -> None:
        self.seen.add("question")
        self.picture("question")
        self.page.locator("[name=attempts]").last.check()
        self.page.click(".actions .button")
        self._receipt()

    def _order(self) -> None:
        kind = self.page.locator("[name=kind]").get_attribute("value") or ""
        first = kind not in self.seen
        self.seen.add(kind)
        if self.page.locator("#go").count():
            self._move(first)
        if self.page.locator("[data-heat]").count():
            self._aim(first)
        if first:
            self._preview(kind)
        self.page.click(".actions [value=seal]")
        if self.page.locator("#result.bad").count():
            if self.page.locator("#go").count():
                self.page.select_option("#go", "stand")
            ticked = self.page.locator("[data-heat]:checked, [name^=strike]:checked")
            while ticked.count():
                ticked.first.uncheck()
            for purpose in self.page.locator(".elsewhere[open] [name^=intent-]").all():
                purpose.select_option("")
            self.page.click(".actions [value=seal]")
        self._receipt()

    def _move(self, first: bool) -> None:
        """On the board where there is time for it; else by the list."""
        if first:
            there = self.page.locator("button.pick").nth(3)
            name = there.get_attribute("value") or ""
            there.click()
            assert self.page.input_value("#go").endswith(f":{name}")
        else:
            options = self.page.locator("#go optgroup").first.locator("option")
            self.page.select_option("#go", options.nth(options.count() // 2).get_attribute("value"))

    def _aim(self, first: bool) -> None:
        """Every weapon that can hit with the torso ahead; beside the rival a kick with it."""
        if first:
            self._fire_into_the_air()
        for weapon in self.page.locator(".weapons > li:has([data-heat])").all():
            if weapon.locator("details.tw0:not(.none)").count():
                weapon.locator("[data-heat]").check()
        kick = self.page.locator(".weapons > li:has([name^=strike-kick]):has(details.tw0:not(.none))")
        if kick.count():
            kick.first.locator("[name^=strike-kick]").check()
            self.seen.add("kick")
        if first and self.script:
            heat = self.page.locator(".heatline output").inner_text()
            assert re.search(r"\d+$", heat), heat

    def _fire_into_the_air(self) -> None:
        """The first weapon, by its own fields, with nothing else; they open without script."""
        going = self.page.input_value("#go") if self.page.locator("#go").count() else ""
        if going:
            self.page.select_option("#go", "stand")
        weapon = self.page.locator(".weapons > li:has([data-heat])").first
        weapon.locator("[data-heat]").check()
        weapon.locator(".elsewhere summary").click()
        weapon.locator("[name^=intent-]").select_option("air")
        self.page.click(".actions [value=preview]")
        assert re.search("al aire|into the air", self.page.locator("#result.good").inner_text())
        assert self.page.locator(".elsewhere[open]").count() == 1
        if going:
            self.page.select_option("#go", going)

    def _preview(self, kind: str) -> None:
        """A mistake in words, then the right orders; nothing is sealed by looking."""
        if self.page.locator("#steps").count():
            self.page.fill("#steps", "X")
            self.page.click(".actions [value=preview]")
            assert "X" in self.page.locator("#result.bad").inner_text()
            self.page.fill("#steps", "")
        self.page.click(".actions [value=preview]")
        assert self.page.locator("#result").count() == 1
        self.picture(f"{self.fighter.handle}-{kind}")

    def _receipt(self) -> None:
        assert self.page.url.split("#")[0].endswith("/receipt"), self.page.content()[:3000]
        assert re.fullmatch(r"[0-9a-f]{64}", self.page.locator("code.hash").inner_text())
        self.picture("receipt")


def change_orders(person: Person) -> None:
    """Sealed orders can be seen and replaced before the deadline."""
    person.page.goto(f"{person.league.console}/fights/{person.league.fight_id}/receipt")
    before = person.page.locator("code.hash").inner_text()
    person.page.click("a[href*='change=yes']")
    person.page.click(".actions [value=seal]")
    person._receipt()
    assert person.page.locator("code.hash").inner_text() != before


def play(people: list[Person]) -> None:
    """Until the fight is over."""
    end = time.monotonic() + FIGHT_SECONDS
    changed = False
    while not people[0].page.locator(".outcome").count():
        assert time.monotonic() < end, [person.page.url for person in people]
        acted = []
        for person in people:
            acted.append(person.act())
            if acted == [True] and not changed:
                change_orders(person)
                changed = True
        if not any(acted):
            time.sleep(0.15)


def look_around(person: Person) -> None:
    """Every other page, once the fight is over."""
    for name, path in {"home": "/", "fights": "/fights", "standings": "/standings", "ledger": "/ledger",
                       "dice": "/dice", "letters": "/letters"}.items():  # fmt: skip
        person.open(path)
        assert person.page.locator("h1").count() == 1
        person.picture(name)
    person.open("/standings")
    person.page.click(".ranking tbody a >> nth=0")
    person.picture("explanation")
    person.page.click("a[href*='/dice?mechwarrior=']")
    assert person.page.locator(".dicetable tbody tr").count() == 17
    person.picture("dice-of-a-player")
    person.open(f"/fights/{person.league.fight_id}/replay")
    person.picture("replay-begin")
    at_somebody = re.compile("(dispara|fires) (?!.*(aire|the air))")
    shot = person.page.locator(".log a", has_text=at_somebody).first.get_attribute("href")
    person.open(f"/fights/{person.league.fight_id}/replay{shot}")
    assert person.page.locator(".dice").count() >= 1
    total = sum(int(cell.text_content() or "") for cell in person.page.locator(".step tbody td.n").all())
    assert total == int(person.page.locator(".step tfoot td.n").text_content() or "")
    person.picture("replay-shot")
    person.page.click("[rel=next]")
    assert person.page.locator("[aria-current=step]").count() == 1


def test_two_people_play_a_fight_in_the_browser(league: League, browser: Browser) -> None:
    ana, ben = (
        Person(browser, league, ANA, script=True),
        Person(browser, league, BEN, script=False),
    )
    try:
        for person in (ana, ben):
            person.log_in()
        ana.page.on("requestfailed", lambda request: ana.complaints.append(request.url))
        play([ana, ben])
        ben.open()
        for person in (ana, ben):
            assert person.page.locator(".outcome").count() == 1
            assert {"initial", "movement", "fire_and_movement"} <= person.seen
        ana.picture("fight-over")
        assert HOSTILE in ana.page.locator("h1").inner_text()
        assert ana.page.locator("main img").count() == 0
        wait_for_the_purse(ana)
        look_around(ana)
        ben.open("/standings")
        assert "why?" in ben.page.content()
        ana.page.click("header button.plain >> nth=1")
        assert "Has salido" in ana.page.content()
        refused = re.compile("status of (401|422)")
        assert not [one for one in ana.complaints if not refused.search(one)], ana.complaints
    finally:
        ana.context.close()
        ben.context.close()


def wait_for_the_purse(person: Person) -> None:
    """Money and letters follow the fight within moments."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        person.open("/ledger")
        if person.page.locator("td.plus").count():
            return
        time.sleep(0.3)
    raise AssertionError("no purse in the ledger")
