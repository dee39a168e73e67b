import { defineConfig } from "vitepress";

export default defineConfig({
  title: "Kettle",
  description: "A small job runner.",
  cleanUrls: true,
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
