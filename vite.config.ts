import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

// root is the frontend folder while package.json stands at the top, because
// Wails runs npm where "frontend:dir" points and that is the repository itself.
export default defineConfig({
  root: "frontend",
  // Relative, so that the same files work from Wails' own scheme and from serve.
  base: "./",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "dist",
    // dist/.gitkeep is committed so that Go's embed finds the folder before the first build;
    // the one in public puts it back after emptying.
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
  server: { host: "127.0.0.1", strictPort: false },
  preview: { host: "127.0.0.1" },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["test/setup.ts"],
    restoreMocks: true,
  },
});
