// Keys in the grid of a short page: one stop of the tab key, arrows from picture to picture, Space to choose.

export const start = (grid, { isRightToLeft, isViewing, startChoosing }) => {
    const tiles = () => [...grid.querySelectorAll(':scope > .tile')].filter(tile => tile.querySelector('a.photo'));
    const photo = tile => tile.querySelector('a.photo');
    let current = grid.contains(document.activeElement) ? document.activeElement.closest('.tile') : null;

    const prepare = () => {
        const all = tiles();
        if (!all.includes(current)) [current] = all;
        for (const tile of all) {
            const tabIndex = tile === current ? 0 : -1;
            photo(tile).tabIndex = tabIndex;
            // Its circle is there while choosing alone.
            const input = tile.querySelector('input');
            if (input) input.tabIndex = tabIndex;
            const badge = tile.querySelector('button');
            if (badge) badge.tabIndex = -1;
        }
    };
    const focus = tile => {
        if (!tile) return;
        current = tile;
        prepare();
        photo(tile).focus();
    };
    // The tile above or below that is nearest to the middle of the current one.
    const beside = (all, isBelow) => {
        const { top, left } = current.getBoundingClientRect();
        const boxes = all.map(tile => ({ tile, box: tile.getBoundingClientRect() }));
        const others = boxes.filter(({ box }) => isBelow ? box.top > top + 1 : box.top < top - 1);
        const row = isBelow ? Math.min(...others.map(({ box }) => box.top)) : Math.max(...others.map(({ box }) => box.top));
        const inRow = others.filter(({ box }) => Math.abs(box.top - row) < 1);
        return inRow.sort((one, other) => Math.abs(one.box.left - left) - Math.abs(other.box.left - left))[0]?.tile;
    };

    grid.addEventListener('focusin', event => {
        const tile = event.target.closest('.tile');
        if (!tile || tile === current || !photo(tile)) return;
        current = tile;
        prepare();
    });
    grid.addEventListener('keydown', event => {
        if (isViewing() || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !current) return;
        const all = tiles();
        const step = steps => all[all.indexOf(current) + (isRightToLeft ? -steps : steps)];
        const moves = {
            ArrowRight: () => step(1), ArrowLeft: () => step(-1), ArrowDown: () => beside(all, true), ArrowUp: () => beside(all, false),
            Home: () => all[0], End: () => all.at(-1),
        };
        if (Object.hasOwn(moves, event.key)) {
            event.preventDefault();
            focus(moves[event.key]());
        } else if (event.key === ' ') {
            const input = current.querySelector('input');
            if (!input || event.target === input) return;
            event.preventDefault();
            startChoosing();
            input.click();
        }
    });
    // More of them may come.
    new MutationObserver(prepare).observe(grid, { childList: true });
    prepare();
};
