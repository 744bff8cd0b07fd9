// A game with its variations: a tree of turns.

export class Tree {
  constructor(game) {
    this.name = game.name;
    this.start = game.start;
    this.root = { turn: null, label: '', children: [], parent: null, row: null };
    this.at = this.root;
    for (const turn of game.turns) this.at = this.child(this.at, turn);
  }

  /** The node after a turn; it is added if it is new. */
  child(node, turn) {
    let found = node.children.find((child) => child.turn === turn);
    if (!found) {
      found = { turn, label: '', children: [], parent: node, row: null };
      node.children.push(found);
    }
    return found;
  }

  path(node = this.at) {
    const nodes = [];
    for (let each = node; each.parent; each = each.parent) nodes.unshift(each);
    return nodes;
  }

  game(node = this.at) {
    return { name: this.name, start: this.start, turns: this.path(node).map((each) => each.turn) };
  }

  /** The nodes of the game itself, without variations. */
  main() {
    const nodes = [];
    for (let [node] = this.root.children; node; [node] = node.children) nodes.push(node);
    return nodes;
  }

  /** Makes the variation of a node the main one. */
  promote(node) {
    for (let each = node; each.parent; each = each.parent) {
      const { children } = each.parent;
      children.splice(children.indexOf(each), 1);
      children.unshift(each);
    }
  }

  /** Takes a node and what follows away. */
  remove(node) {
    const { children } = node.parent;
    children.splice(children.indexOf(node), 1);
    this.at = node.parent;
  }
}
