/**
 * Converts a program to a Jupyter notebook (nbformat 4.5). Each part that begins with a line `# %%` or `# cell 1: …`, in either language,
 * becomes a cell.
 */

const BEGIN_OF_PART = /^(?=# (?:%%|cell \d+:|单元格 \d+：))/m;

/** The notebook's JSON. @param {string} source */
export function toNotebook(source) {
  const parts = source.split(BEGIN_OF_PART).map((part) => part.replace(/\n+$/, ""));
  const cells = parts
    .filter((part) => part.trim())
    .map((part, index) => ({
      cell_type: "code",
      execution_count: null,
      id: `cell-${index + 1}`,
      metadata: {},
      outputs: [],
      source: part.split(/(?<=\n)/),
    }));
  const metadata = {
    kernelspec: { display_name: "Python 3", language: "python", name: "python3" },
    language_info: { file_extension: ".py", mimetype: "text/x-python", name: "python" },
  };
  return `${JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)}\n`;
}
