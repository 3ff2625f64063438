// The frontend's half of the import table: lib <- ui, bridge <- features/* <- app.
// Its Go twin is arch_test.go.
const src = "^frontend/src/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "lib-imports-nothing-of-ours",
      severity: "error",
      from: { path: `${src}lib/` },
      to: { path: src, pathNot: `${src}lib/` },
    },
    {
      name: "ui-imports-lib-only",
      comment: "ui holds no state of the product",
      severity: "error",
      from: { path: `${src}ui/` },
      to: { path: src, pathNot: `${src}(ui|lib)/` },
    },
    {
      name: "bridge-imports-lib-only",
      severity: "error",
      from: { path: `${src}bridge/` },
      to: { path: src, pathNot: `${src}(bridge|lib)/` },
    },
    {
      name: "features-do-not-import-app",
      severity: "error",
      from: { path: `${src}features/` },
      to: { path: `${src}app/` },
    },
    {
      name: "a-feature-is-reached-by-its-index",
      severity: "error",
      from: { path: `${src}features/([^/]+)/` },
      to: { path: `${src}features/([^/]+)/`, pathNot: [`${src}features/$1/`, `${src}features/[^/]+/index\\.ts$`] },
    },
    {
      name: "app-reaches-a-feature-by-its-index",
      severity: "error",
      from: { path: `${src}app/` },
      to: { path: `${src}features/`, pathNot: `${src}features/[^/]+/index\\.ts$` },
    },
    {
      name: "only-bridge-imports-wailsjs",
      severity: "error",
      from: { path: src, pathNot: `${src}bridge/` },
      to: { path: "^frontend/wailsjs/" },
    },
    {
      name: "product-does-not-import-tests-or-dev",
      severity: "error",
      from: { path: src, pathNot: "\\.test\\.tsx?$" },
      to: { path: ["^frontend/(dev|test)/"] },
    },
    {
      name: "model-has-no-react",
      comment: "a model is tested without a page",
      severity: "error",
      from: { path: `${src}features/[^/]+/([^/]*model)\\.ts$` },
      to: { path: "node_modules/(react|react-dom)/" },
    },
    { name: "resolvable", severity: "error", from: {}, to: { couldNotResolve: true, pathNot: "\\.css$" } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default", "types"] },
  },
};
