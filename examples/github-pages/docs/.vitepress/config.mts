import treeline from "treeline/vitepress";
import { defineConfig } from "vitepress";

export default defineConfig({
  title: "Lantern",
  // The name of the repository: GitHub Pages serves it at https://OWNER.github.io/lantern/.
  base: "/lantern/",
  cleanUrls: true,
  // Indexes the built pages, and puts the search box into the bar.
  vite: { plugins: [treeline()] },
});
