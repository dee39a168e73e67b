import { defineConfig } from "vitepress";

export default defineConfig({
  title: "Kettle",
  description: "A small job runner.",
  cleanUrls: true,
  // The search box, in the bar of the theme. A preview leads to its own pages, not to where the site is published.
  head: [["script", { type: "module", src: "/search-index/search.js?place=.VPNavBarSearch&links=here" }]],
  themeConfig: {
    nav: [{ text: "Guide", link: "/guide/install" }],
    sidebar: [
      {
        text: "Guide",
        items: [
          { text: "Install", link: "/guide/install" },
          { text: "Write a job", link: "/guide/jobs" },
          { text: "Retries", link: "/guide/retries" },
        ],
      },
      {
        text: "Reference",
        items: [
          { text: "Command line", link: "/reference/command-line" },
          { text: "Settings", link: "/reference/settings" },
        ],
      },
    ],
  },
});
