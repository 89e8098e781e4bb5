/** The names of the runtimes, and the default runtime. */

export const DEFAULT_RUNTIME = "torch";

/** @type {Record<string, string>} */
const NAMES = { torch: "PyTorch", tensorflow: "TensorFlow", jax: "JAX" };

/** The displayed name of a runtime. @param {string} runtime */
export function runtimeName(runtime) {
  return NAMES[runtime] ?? runtime;
}
