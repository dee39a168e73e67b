import DefaultTheme from "vitepress/theme";
import { h } from "vue";
import SearchBox from "./SearchBox.vue";

/** The default theme with a search box in its bar. */
export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { "nav-bar-content-before": () => h(SearchBox) }),
};
