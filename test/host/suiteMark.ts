/** Begins every line that the suite prints for the person at the terminal, to tell it from VS Code's own log. */
export const suiteMark = '[suite] ';
