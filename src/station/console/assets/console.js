// Keeps the page the same as the table: takes changed regions from the station's event stream and works them into the
// document, touching only what differs, so that nothing jumps, focus stays, and only what is new moves.
(() => {
  "use strict";

  const SILENCE_MS = 2400; // the station pulses every 800 ms: three missed pulses are a lost connection
  const RETRY_MS = 1000;
  const HOLD_MS = 30000; // tables keep their places for so long under a pointer that rests
  const MOVED_MS = 500;

  const page = document.body;
  const lost = document.getElementById("lost");
  const lostMore = lost.querySelector("span");
  const alertBox = document.getElementById("alert");
  const asOf = document.getElementById("asof");
  const steady = document.querySelector("[data-steady]"); // a list whose items change places

  let source = null;
  let heardAt = performance.now(); // something came, or an attempt began
  let currentAt = performance.now(); // the page was certainly what the station showed
  let retry = 0;
  let known = findings(); // whether each finding is a breach, by its number
  let waiting = null; // what the list will be when nobody holds it
  let stirredAt = 0;
  let movedAt = -Infinity;
  const formats = new Map(); // by time zone: a browser takes longer to make one than to use it a hundred times

  local(document);

  function open() {
    clearTimeout(retry);
    if (source) source.close();
    heardAt = performance.now();
    source = new EventSource(page.dataset.events);
    source.addEventListener("picture", (event) => take(JSON.parse(event.data)));
    source.addEventListener("pulse", alive);
    source.addEventListener("error", fail);
  }

  function alive() {
    heardAt = currentAt = performance.now();
    lost.hidden = true;
    page.classList.remove("stale");
    const time = clock(new Date(), page.dataset.zone);
    if (asOf.textContent !== time) asOf.textContent = time;
  }

  // The station tells universal time; people read that of the table, wherever the tablet thinks it is.
  function local(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const zoned = time.closest("[data-zone]") || page;
      time.textContent = clock(new Date(time.dateTime), zoned.dataset.zone);
    }
  }

  function formatsOf(timeZone) {
    if (!formats.has(timeZone)) {
      const format = (dated) => new Intl.DateTimeFormat(document.documentElement.lang, {
        timeStyle: "medium",
        ...dated,
        hourCycle: "h23",
        timeZone,
      });
      const day = new Intl.DateTimeFormat("en", { timeZone });
      formats.set(timeZone, { day, today: format({}), dated: format({ dateStyle: "short" }) });
    }
    return formats.get(timeZone);
  }

  function clock(when, timeZone) {
    const { day, today, dated } = formatsOf(timeZone);
    return (day.format(when) === day.format(new Date()) ? today : dated).format(when);
  }

  function fail() {
    source.close();
    clearTimeout(retry);
    retry = setTimeout(open, RETRY_MS);
    heardAt = performance.now();
    age();
    lost.hidden = false;
    page.classList.add("stale");
  }

  function age() {
    const seconds = Math.round((performance.now() - currentAt) / 1000);
    const text = lostMore.dataset.more.replace("{}", String(seconds));
    if (lostMore.textContent !== text) lostMore.textContent = text;
  }

  function take(update) {
    if (update.version !== page.dataset.version) {
      location.reload(); // the station was upgraded under an open page
      return;
    }
    document.title = update.title;
    for (const [id, html] of Object.entries(update.parts)) draw(id, html);
    alive();
    tell();
  }

  function draw(id, html) {
    const next = document.createElement("template");
    next.innerHTML = html;
    local(next.content);
    const region = document.getElementById(id); // the dealer's screen has fewer
    if (region && region === steady) keepPlaces(html, next.content);
    if (region) children(region, next.content);
  }

  // Screen readers speak findings that were not there before, and those that have become a breach.
  function tell() {
    const before = known;
    known = findings();
    const newest = Math.max(0, ...before.keys());
    const isNews = (n) => n > newest || (known.get(n) && before.get(n) === false);
    const news = [...document.querySelectorAll(".finding")].filter((item) => isNews(Number(item.dataset.n)));
    if (news.length) alertBox.textContent = news.map((item) => spoken(item, newest)).join(" ");
  }

  function spoken(item, newest) {
    const words = (of) => item.querySelector(of).textContent.trim();
    const how = Number(item.dataset.n) > newest ? page.dataset.newFinding : words(".state");
    return `${how}: ${words(".article")} ${words(".where")}. ${words(".text")}`;
  }

  function findings() {
    const items = [...document.querySelectorAll(".finding")];
    return new Map(items.map((item) => [Number(item.dataset.n), item.classList.contains("breach")]));
  }

  // Makes the children of `old` those of `next`: an element is kept where its id, or else its place and kind, match.
  function children(old, next) {
    let at = old.firstChild;
    for (const wanted of [...next.childNodes]) {
      const named = wanted.id && [...old.children].find((child) => child.id === wanted.id);
      if (named) {
        if (named === at) at = at.nextSibling;
        else old.insertBefore(named, at);
        node(named, wanted);
      } else if (at && !at.id && !wanted.id && at.nodeName === wanted.nodeName) {
        const here = at;
        at = at.nextSibling;
        node(here, wanted);
      } else {
        if (wanted.nodeType === Node.ELEMENT_NODE) wanted.dataset.fresh = "";
        old.insertBefore(wanted, at);
      }
    }
    while (at) {
      const gone = at;
      at = at.nextSibling;
      gone.remove();
    }
  }

  function node(old, next) {
    if (old.isEqualNode(next)) return;
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
      return;
    }
    for (const { name } of [...old.attributes]) {
      if (!next.hasAttribute(name) && name !== "data-fresh") old.removeAttribute(name);
    }
    for (const { name, value } of next.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    children(old, next);
  }

  // The dealer's screen. What stood under the finger when it came down is what is meant, whatever stands there when it
  // goes up.
  const enter = document.getElementById("enter");
  const told = document.getElementById("told");
  let meant = null;

  async function entered(value) {
    const form = new URLSearchParams({ act: value });
    const answer = await fetch(enter.action, { method: "POST", body: form, redirect: "manual" }).catch(() => null);
    if (!answer) return; // that the connection is lost is told already
    const refused = answer.type !== "opaqueredirect";
    if (refused) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      told.textContent = page.getElementById("told")?.textContent || answer.statusText;
    }
    told.hidden = !refused;
  }

  function key(event) {
    if (event.target.closest?.("input, select") || event.ctrlKey || event.altKey || event.metaKey) return;
    const touches = document.querySelectorAll("#offers .touch");
    const digit = "123456789".indexOf(event.key);
    const likely = event.key === "Enter" && !event.target.closest?.("button, a");
    const due = likely && touches[0]?.classList.contains("due") ? touches[0] : null;
    const button = digit >= 0 ? touches[digit] : due;
    const chosen = event.key === "Backspace" ? document.querySelector("#offers .undo") : button;
    if (!chosen || event.repeat) return;
    event.preventDefault();
    meant = null;
    chosen.click();
  }

  if (enter) {
    const under = (event) => event.target.closest("button")?.value ?? null;
    enter.addEventListener("pointerdown", (event) => (meant = under(event)));
    enter.addEventListener("pointercancel", () => (meant = null));
    enter.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = event.submitter?.value;
      if (value && (meant === null || meant === value)) entered(value);
      meant = null;
    });
    addEventListener("keydown", key);
  }

  // Many tables: while somebody points at them or has the focus there, none changes its place; what waits is drawn when he
  // goes, or has not stirred for a while. A touch on tables that have just changed places was meant for another.
  function isHeld() {
    const isThere = steady.matches(":hover") || steady.contains(document.activeElement);
    return isThere && performance.now() - stirredAt < HOLD_MS;
  }

  function keepPlaces(html, next) {
    const before = [...steady.children].map((item) => item.id);
    const moves = before.join() !== [...next.children].map((item) => item.id).join();
    const waits = moves && isHeld();
    if (waits) next.append(...before.map((id) => next.getElementById(id)).filter(Boolean));
    else if (moves) movedAt = performance.now();
    waiting = waits ? html : null;
    document.getElementById("waits").hidden = !waits;
  }

  if (steady) {
    for (const stir of ["pointermove", "pointerdown", "focusin", "keydown"]) {
      steady.addEventListener(stir, () => (stirredAt = performance.now()));
    }
    steady.addEventListener("click", (event) => performance.now() - movedAt < MOVED_MS && event.preventDefault());
  }

  setInterval(() => {
    if (waiting !== null && !isHeld()) draw(steady.id, waiting);
    if (performance.now() - heardAt > SILENCE_MS) fail();
    else if (!lost.hidden) age();
  }, 300);
  addEventListener("pageshow", (event) => event.persisted && open());
  open();
})();
