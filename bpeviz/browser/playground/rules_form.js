// @ts-check
// The fields for the rules of the training.

import { create, find, findAll } from "../shared/elements.js";
import { counted, decimals } from "../shared/numbers.js";
import { CUSTOM } from "../trainer/rules.js";

/** @import { Settings, TrainerTable } from "../trainer/rules.js" */

const FIRST_PATTERN = "\\S+|\\s+"; // that a person can change

export class RulesForm {
  /**
   * @param {ParentNode} root
   * @param {TrainerTable} table
   * @param {() => void} onChange called when the person has changed the rules
   */
  constructor(root, table, onChange) {
    this.table = table;
    this.form = find(root, ".rules");
    /** @param {string} name */
    const select = (name) => find(this.form, `.${name}`, HTMLSelectElement);
    /** @param {string} name */
    const input = (name) => find(this.form, `.${name}`, HTMLInputElement);
    this.recipe = select("recipe");
    this.split = select("split");
    this.stops = select("stops");
    this.custom = input("custom");
    this.most = input("most");
    this.fewest = input("fewest");
    this.longest = input("longest");
    this.special = find(this.form, ".special", HTMLTextAreaElement);
    this.chosen = find(this.form, ".chosen");
    this.follows = find(this.form, ".follows");
    this.recipe.append(...Object.keys(table.recipes).map((name) => new Option(name)));
    this.settings = table.settings;
    this.recipe.addEventListener("change", () => {
      this.settings = { ...this.settings, special_tokens: null, max_token_length: null };
      this.show({ ...this.settings, recipe: this.recipe.value });
    });
    find(this.form, ".own").addEventListener("click", () => {
      this.show(table.settings);
      onChange();
    });
    this.form.addEventListener("change", () => {
      this.show(this.read());
      onChange();
    });
  }

  /**
   * Put settings into the fields; what can't be used becomes that of the first rules.
   * @param {Partial<Settings>} settings
   */
  show(settings) {
    const { table } = this;
    const usable = usableSettings(table, settings);
    const recipe = table.recipes[usable.recipe];
    this.settings = usable;
    this.recipe.value = recipe.name;
    this.follows.textContent = `Follows ${recipe.reproduces}.`;
    const names = Object.keys(table.splits).map((name) => new Option(name, name));
    const first = new Option(`the recipe's own (${recipe.split})`, "");
    this.split.replaceChildren(first, ...names, new Option("my own", CUSTOM));
    this.split.value = usable.split;
    this.custom.value = usable.custom_pattern;
    for (const each of findAll(this.form, ".own-pattern")) each.hidden = usable.split !== CUSTOM;
    this.stops.value = usable.vocab_size === null ? "num_merges" : "vocab_size";
    this.most.value = String(usable.vocab_size ?? usable.num_merges);
    this.fewest.value = String(usable.min_frequency);
    this.longest.value = String(usable.max_token_length ?? "");
    this.longest.placeholder = String(recipe.max_token_length ?? "any length");
    this.longest.title = table.sentences[`longest_${recipe.length_unit}`];
    this.special.value = (usable.special_tokens ?? recipe.special_tokens).join("\n");
    const size = usable.vocab_size;
    const stops = size === null ? counted(usable.num_merges, "merge") : `${decimals(size)} tokens`;
    this.chosen.replaceChildren(
      recipe.name,
      create("span", "", ` · ${usable.split || recipe.split} split · ${stops}`),
    );
  }

  /**
   * Put the rules of a lesson into the fields; what it doesn't name stays. A recipe comes with its own split pattern.
   * @param {{ recipe: string, split: string, merges: number }} tried
   */
  showTried({ recipe, split, merges }) {
    const before = this.settings;
    this.show({
      ...before,
      recipe: recipe || before.recipe,
      split: split || (recipe ? "" : before.split),
      num_merges: merges,
      vocab_size: null,
    });
  }

  /** The settings in the fields. @returns {Partial<Settings>} */
  read() {
    const { recipes } = this.table;
    const number = (/** @type {HTMLInputElement} */ field) => Math.round(field.valueAsNumber);
    const bySize = this.stops.value === "vocab_size";
    const changed = bySize !== (this.settings.vocab_size !== null); // then the number was one of the others
    const special = [...new Set(this.special.value.split("\n").filter(Boolean))];
    const own = recipes[this.recipe.value].special_tokens;
    return {
      recipe: this.recipe.value,
      split: this.split.value,
      custom_pattern: this.custom.value,
      num_merges: bySize
        ? this.table.limits.merges
        : changed
          ? this.table.settings.num_merges
          : number(this.most),
      vocab_size: !bySize ? null : changed ? this.table.limits.first_size : number(this.most),
      min_frequency: number(this.fewest),
      max_token_length: this.longest.value ? number(this.longest) : null,
      special_tokens: special.join("\n") === own.join("\n") ? null : special,
    };
  }
}

/**
 * Settings from a person, or from an earlier visit, of which every value can be used.
 * @param {TrainerTable} table
 * @param {Partial<Settings>} given
 * @returns {Settings}
 */
export function usableSettings({ limits, recipes, settings, splits }, given) {
  /**
   * @param {unknown} value
   * @param {number} most
   * @param {Fallback} otherwise
   * @template Fallback
   */
  const whole = (value, most, otherwise) =>
    typeof value === "number" && value >= 1 ? Math.min(Math.round(value), most) : otherwise;
  /** @param {unknown} value of a link, which may be anything */
  const text = (value) => (typeof value === "string" ? value : "");
  const custom = given.split === CUSTOM;
  const special = Array.isArray(given.special_tokens) ? given.special_tokens : null;
  return {
    recipe: Object.hasOwn(recipes, text(given.recipe)) ? text(given.recipe) : settings.recipe,
    split: Object.hasOwn(splits, text(given.split)) || custom ? text(given.split) : "",
    custom_pattern: custom
      ? [...(text(given.custom_pattern) || FIRST_PATTERN)].slice(0, limits.pattern).join("")
      : "",
    num_merges: whole(given.num_merges, limits.merges, settings.num_merges),
    vocab_size: whole(given.vocab_size, limits.setting, null),
    min_frequency: whole(given.min_frequency, limits.setting, settings.min_frequency),
    max_token_length: whole(given.max_token_length, limits.setting, null),
    special_tokens:
      special && [...new Set(special.map(text))].filter(Boolean).slice(0, limits.special_tokens),
    choices: [],
  };
}
