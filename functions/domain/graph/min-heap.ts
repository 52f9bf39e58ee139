/** A binary heap: the smallest item, by `compare`, first. */
export class MinHeap<T> {
  readonly #items: T[] = [];
  readonly #compare: (left: T, right: T) => number;

  constructor(compare: (left: T, right: T) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#items.length;
  }

  peek(): T | undefined {
    return this.#items[0];
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = items[above] as T;
      if (this.#compare(parent, item) <= 0) break;
      items[index] = parent;
      index = above;
    }
    items[index] = item;
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (items.length > 0 && last !== undefined) this.#sink(last);
    return first;
  }

  #sink(item: T): void {
    const items = this.#items;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && this.#compare(items[child + 1] as T, items[child] as T) < 0) {
        child += 1;
      }
      if (this.#compare(items[child] as T, item) >= 0) break;
      items[index] = items[child] as T;
      index = child;
    }
    items[index] = item;
  }
}
