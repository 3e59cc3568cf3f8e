// What depends on the browser and its system. Nothing else asks for their names.
const { userAgent, platform, maxTouchPoints } = navigator;

// Safari on an iPad calls itself a Mac; no Mac has a touch screen.
const isApple = /iPhone|iPad|iPod/.test(userAgent) || platform === 'MacIntel' && maxTouchPoints > 1;

export const isPhone = isApple || /Android/.test(userAgent);

// Elsewhere an ordinary download reaches the pictures of the system, or there is no such place.
export const savesToPhotos = isApple && typeof navigator.canShare === 'function';

export const canShare = files => navigator.canShare({ files });

// To be called inside a press: whatever is awaited before it uses the press up.
export const share = files => navigator.share({ files });

// `host` takes a field for a moment where the clipboard cannot be written to.
export const copy = async (text, host) => {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const field = Object.assign(document.createElement('textarea'), { value: text, className: 'unseen' });
        const focused = document.activeElement;
        host.append(field);
        field.select();
        document.execCommand('copy');
        field.remove();
        focused?.focus();
    }
};

// The screen stays on until the answer is called.
export const keepAwake = () => {
    const lock = navigator.wakeLock?.request('screen').catch(() => null);
    return async () => (await lock)?.release();
};
