import type { TokenStore } from "./cumulus.js";
import type { Store } from "./offline.js";

export function fileStore(path: string): Promise<Store>;
export function fileTokenStore(path: string): TokenStore;
