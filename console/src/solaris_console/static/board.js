// The board as a way to fill in the form, and the heat as it will be. Everything here can be done without it.
const form = document.getElementById("orders-form");

function setUpMovement() {
  const go = form.querySelector("#go");
  const facing = form.querySelector("#facing");
  if (!go || !form.dataset.reach) return;
  const reach = JSON.parse(form.dataset.reach);
  const names = [...facing.options].map((option) => option.textContent.split(" · ")[0]);
  const mp = (cost) => `${cost} ${document.documentElement.lang === "es" ? "PM" : "MP"}`;

  const showGoal = () => {
    const [mode, hex] = go.value.split(":");
    for (const one of document.querySelectorAll(".hex.chosen")) one.classList.remove("chosen");
    if (hex) document.querySelector(`.hex[data-hex="${hex}"]`)?.classList.add("chosen");
    const costs = (reach[mode] || {})[hex];
    [...facing.options].forEach((option, index) => {
      if (index === 0) return;
      const cost = costs ? (costs[option.value] ?? costs["0"]) : undefined;
      option.disabled = Boolean(costs) && cost === undefined;
      option.textContent = cost === undefined ? names[index] : `${names[index]} · ${mp(cost)}`;
      if (option.disabled && option.selected) facing.value = "";
    });
  };

  const pick = (hex) => {
    const now = go.value.split(":");
    const modes = Object.keys(reach).filter((mode) => reach[mode][hex]);
    const next = now[1] === hex ? modes[(modes.indexOf(now[0]) + 1) % modes.length]
      : modes.includes(now[0]) ? now[0] : modes[0];
    go.value = `${next}:${hex}`;
    showGoal();
  };

  go.addEventListener("change", showGoal);
  for (const button of document.querySelectorAll("button.pick")) {
    button.addEventListener("click", (event) => {
      event.preventDefault();
      pick(button.value);
    });
  }
  showGoal();
}

function setUpHeat() {
  const line = form.querySelector(".heatline");
  if (!line) return;
  const { now, built, sinks } = line.dataset;
  const output = line.querySelector("output");
  const show = () => {
    const fired = [...form.querySelectorAll("[data-heat]:checked")]
      .reduce((sum, box) => {
        const mode = box.closest("li").querySelector("[data-mode]")?.selectedOptions[0];
        return sum + Number((mode || box).dataset.heat);
      }, 0);
    const after = Math.max(0, Number(now) + Number(built) + fired - Number(sinks));
    output.textContent = `${output.dataset.label} ${after}`;
  };
  form.addEventListener("change", show);
  show();
}

if (form) {
  setUpMovement();
  setUpHeat();
}
