/** What the runtimes are called, and the one that is meant when none is named. */

export const DEFAULT_RUNTIME = "torch";

/** @type {Record<string, string>} */
const NAMES = { torch: "PyTorch", tensorflow: "TensorFlow", jax: "JAX" };

/** A runtime's name for readers. @param {string} runtime */
export function runtimeName(runtime) {
  return NAMES[runtime] ?? runtime;
}
