/** One backward pass of a second run, as steps: a sentence that says what happens in each step, and what the picture shows of it. */

import { inARow, t } from "../words.js";
import { edgeWords, gradientWords } from "./gradient-words.js";

/**
 * @typedef {import("../types.js").Gradient} Gradient
 * @typedef {import("../types.js").GraphRecord} GraphRecord
 * @typedef {import("../types.js").ReplayRecord} ReplayRecord
 * @typedef {import("../types.js").ReplayStep} ReplayStep
 * @typedef {import("../types.js").Span} Span
 *
 * @typedef {{name: string, gradient: Gradient | null}} Shown  a gradient that is shown in full, and what it is
 *
 * @typedef {object} Step
 * @property {string} words what happens
 * @property {string | null} node the id of the node that runs
 * @property {Shown[]} received
 * @property {Shown[]} sent
 * @property {Span | null} span the line of the learner's `backward` that returned or raised
 * @property {boolean} failed
 *
 * @typedef {{source: string, target: string, words: string, now: boolean}} Label  what is written beside an edge, and whether this step
 *   sends it
 */

export class BackwardPass {
  /** @param {ReplayRecord} replay @param {GraphRecord | null} graph the graph whose picture is shown */
  constructor(replay, graph) {
    this.replay = replay;
    this.nodes = new Map(graph?.nodes.map((node) => [node.id, node]));
    /** The name of each leaf, by the id of its node. @type {Map<string, string>} */
    this.leaves = new Map();
    for (const { source, target } of graph?.edges ?? []) {
      const [leaf, node] = [this.nodes.get(source), this.nodes.get(target)];
      if (leaf?.kind === "leaf" && node?.kind === "accumulate_grad") this.leaves.set(target, leaf.name ?? "");
    }
    /** @type {Map<string, Set<string>>} */
    const sharing = new Map();
    for (const { node, label } of replay.steps) sharing.set(short(label), (sharing.get(short(label)) ?? new Set()).add(node));
    /** The names that several nodes of this pass share. */
    this.ambiguous = new Set([...sharing].filter(([, ids]) => ids.size > 1).map(([name]) => name));
    this.labels = new Map(replay.steps.map(({ node, label }) => [node, label]));
    /** How many nodes of each name each line recorded. @type {Map<string, number>} */
    this.places = new Map();
    for (const node of this.nodes.values()) this.places.set(placeOf(node), (this.places.get(placeOf(node)) ?? 0) + 1);
    this.changed = changedByHooks(replay.steps);
    this.steps = [...replay.steps.map((step) => this.describe(step)), ...this.ending()];
  }

  /**
   * The name of a node within a sentence: the name of its leaf or function, with its line if other nodes have the same name.
   * @param {string} id
   */
  nameOf(id) {
    const leaf = this.leaves.get(id);
    if (leaf) return leaf;
    const node = this.nodes.get(id);
    const name = short(this.labels.get(id) ?? node?.label ?? id);
    if (name === "AccumulateGrad") return t("a leaf");
    if (!this.ambiguous.has(name)) return name;
    const line = node?.span?.line;
    return node && line && this.places.get(placeOf(node)) === 1 ? t("{node} of line {line}", { node: name, line }) : `${name} (${id})`;
  }

  /** @param {ReplayStep} step @returns {Step} */
  describe(step) {
    const { node, received, sent, span = null, failed } = step;
    const name = this.nameOf(node);
    const shown = {
      node,
      received: received.map((gradient) => ({ name: step.kind === "sum" ? t("meets") : t("received"), gradient })),
      sent: [
        ...sent.filter((one) => one.node || one.gradient).map((one) => ({ name: this.sentName(step, one.node), gradient: one.gradient })),
        ...(step.grad && !isSame(step.grad, received[0] ?? null) ? [{ name: ".grad", gradient: step.grad }] : []),
      ],
      span,
      failed,
    };
    const words = this.words(step, name);
    return { ...shown, words: withoutSpaces(this.changed.has(step) ? t("A hook changed what was sent. {words}", { words }) : words) };
  }

  /** @param {ReplayStep} step @param {string | null} to */
  sentName({ kind }, to) {
    if (kind === "sum") return t("sum");
    return to ? t("to {node}", { node: this.nameOf(to) }) : t("to nobody");
  }

  /** @param {ReplayStep} step @param {string} name */
  words(step, name) {
    const several = step.received.some((gradient) => gradient);
    const received = inARow(
      step.received.length ? step.received.map((one) => (one || !several ? gradientWords(one) : t("nothing"))) : [t("None")],
    );
    if (step.failed) return t("{node} received {gradient} and raised an exception.", { node: name, gradient: received });
    if (step.kind === "sum") {
      const terms = step.received.map(gradientWords).join(" + ");
      return t("Gradients meet at {node}: {terms} = {sum}.", { node: name, terms, sum: gradientWords(step.sent[0]?.gradient) });
    }
    if (step.grad !== null) return leafWords(name, step.received[0] ?? null, step.grad);
    const parts = step.sent
      .filter((one) => one.node)
      .map((one) => t("{gradient} to {node}", { gradient: gradientWords(one.gradient), node: this.nameOf(one.node ?? "") }));
    const values = { node: name, gradient: received, parts: inARow(parts) };
    return parts.length
      ? t("{node} receives {gradient} and sends {parts}.", values)
      : t("{node} receives {gradient} and sends nothing on.", values);
  }

  /** A last step for what `autograd.grad` returned, or for a pass that raised before a node ran. @returns {Step[]} */
  ending() {
    const { results, raised, steps } = this.replay;
    const nothing = { node: null, received: [], span: null };
    const words = steps.length
      ? t("The pass raised an exception between two nodes.")
      : t("The pass raised an exception before any node ran.");
    if (raised && !steps.some(({ failed }) => failed)) return [{ ...nothing, sent: [], failed: true, words }];
    if (raised || !results.length) return [];
    const parts = results.map(({ tensor, gradient }) =>
      t("{gradient} for {node}", { gradient: gradientWords(gradient), node: this.tensorName(tensor) }),
    );
    const sent = results.map(({ tensor, gradient }) => ({ name: this.tensorName(tensor), gradient }));
    return [{ ...nothing, sent, failed: false, words: t("grad returns {parts}.", { parts: inARow(parts) }) }];
  }

  /** @param {string} id */
  tensorName(id) {
    return this.nodes.get(id)?.name ?? t("an input");
  }

  /**
   * The labels beside the edges of the picture after the step `at`: everything that was sent until then.
   * @param {number} at
   * @returns {Label[]}
   */
  labelsAt(at) {
    /** @type {Map<string, Label>} */
    const labels = new Map();
    this.replay.steps.slice(0, at + 1).forEach((step, index) => {
      if (step.kind !== "function") return;
      for (const { node, gradient } of step.sent) {
        if (!node) continue;
        const key = `${node} ${step.node}`;
        const before = labels.get(key);
        const words = edgeWords(gradient);
        const joined = before?.now && index === at ? inARow([before.words, words]) : words;
        labels.set(key, { source: node, target: step.node, words: joined, now: index === at });
      }
    });
    return [...labels.values()];
  }
}

/**
 * What a leaf does: the gradient becomes its `.grad`, or is added to it.
 * @param {string} leaf
 * @param {Gradient | null} received
 * @param {Gradient} grad the leaf's `.grad` afterwards
 */
function leafWords(leaf, received, grad) {
  const values = { leaf, gradient: gradientWords(received), grad: gradientWords(grad) };
  if (isSame(received, grad)) return t("{leaf} receives {gradient}, which is now its .grad.", values);
  return values.gradient === values.grad
    ? t("{leaf} receives {gradient}, which is added to its .grad.", values)
    : t("{leaf} receives {gradient}; its .grad is now {grad}.", values);
}

/** A sentence without the spaces that Chinese does not have between its characters. @param {string} words */
function withoutSpaces(words) {
  return words.replace(/(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/g, "");
}

/** Whether two gradients have the same entries, as far as these are known. @param {Gradient | null} a @param {Gradient | null} b */
function isSame(a, b) {
  return a !== null && b !== null && a.values !== null && JSON.stringify(a.values) === JSON.stringify(b.values);
}

/** The name of a node's function, with the line that recorded the node. @param {import("../types.js").GraphNode} node */
function placeOf({ label, span }) {
  return `${short(label)} ${span?.line}`;
}

/**
 * The steps in which a node received something other than the gradient, or the sum, that was sent to it, because a hook changed it.
 * @param {ReplayStep[]} steps
 * @returns {Set<ReplayStep>}
 */
function changedByHooks(steps) {
  /**
   * What was last sent to each output of a node, and how many gradients were sent there.
   * @type {Map<string, {gradient: Gradient | null, count: number}>}
   */
  const sent = new Map();
  /** @type {Set<ReplayStep>} */
  const changed = new Set();
  for (const step of steps) {
    const isSum = step.kind === "sum";
    step.received.forEach((gradient, output) => {
      const last = isSum ? undefined : sent.get(`${step.node} ${output}`);
      if (last?.count === 1 && last.gradient?.values != null && gradient?.values != null && !isSame(last.gradient, gradient))
        changed.add(step);
    });
    for (const { node, output, gradient } of step.sent) {
      const before = sent.get(`${node} ${output}`);
      sent.set(`${node} ${output}`, { gradient, count: isSum ? 1 : (before?.count ?? 0) + 1 });
    }
  }
  return changed;
}

/** A node's name without the parts that all names have: "Mul" for MulBackward0. @param {string} label */
export function short(label) {
  return label.replace(/Backward\d*$/, "") || label;
}
