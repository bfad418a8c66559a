// What page.js draws with: the marks that it uses, and no more of the library.
export {plot, barX, ruleX, ruleY, dot, gridX, gridY, axisX, axisY, text, line, tip, pointer, pointerY, tickX} from "@observablehq/plot";
