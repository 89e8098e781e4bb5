/** Moves through a picture by keyboard: from a node along its edges, and to the nodes drawn beside it. */

/**
 * @typedef {{id: string, x: number, y: number, width: number, height: number}} Box  its centre and its size
 * @typedef {{source: string, target: string}} Link
 * @typedef {"ArrowUp" | "ArrowDown" | "ArrowLeft" | "ArrowRight"} Arrow
 */

export class GraphWalk {
  /** @param {Box[]} boxes @param {Link[]} links */
  constructor(boxes, links) {
    this.boxes = new Map(boxes.map((box) => [box.id, box]));
    /** @type {Map<string, string[]>} */
    this.joined = new Map();
    for (const { source, target } of links) {
      add(this.joined, source, target);
      add(this.joined, target, source);
    }
  }

  /** The node itself and the nodes that an edge connects with it. @param {string} id */
  near(id) {
    return new Set([id, ...(this.joined.get(id) ?? [])]);
  }

  /**
   * The node that an arrow key leads to. Up and down follow an edge to a box that is drawn above or below, whichever way the edge points;
   * left and right go to the next box in the same row. Null if there is none.
   * @param {string} id
   * @param {Arrow} arrow
   */
  step(id, arrow) {
    const from = this.boxes.get(id);
    if (!from) return null;
    const way = arrow === "ArrowDown" || arrow === "ArrowRight" ? 1 : -1;
    const isBeside = (/** @type {Box} */ { y, height }) => Math.abs(y - from.y) < (height + from.height) / 2;
    const ends =
      arrow === "ArrowDown" || arrow === "ArrowUp"
        ? (this.joined.get(id) ?? [])
            .flatMap((end) => this.boxes.get(end) ?? [])
            .filter((box) => (box.y - from.y) * way > 0 && !isBeside(box))
        : [...this.boxes.values()].filter((box) => (box.x - from.x) * way > 1 && isBeside(box));
    return this.nearest(
      from.x,
      from.y,
      ends.map((box) => box.id),
    );
  }

  /** The id of the box whose centre is nearest to a point. @param {number} x @param {number} y @param {Iterable<string>} [ids] */
  nearest(x, y, ids = this.boxes.keys()) {
    let found = null;
    let least = Infinity;
    for (const id of ids) {
      const box = this.boxes.get(id);
      const distance = box ? Math.hypot(box.x - x, box.y - y) : Infinity;
      if (distance < least) [found, least] = [id, distance];
    }
    return found;
  }
}

/** @template Item @param {Map<string, Item[]>} groups @param {string} key @param {Item} item */
export function add(groups, key, item) {
  const group = groups.get(key);
  if (group) group.push(item);
  else groups.set(key, [item]);
}
