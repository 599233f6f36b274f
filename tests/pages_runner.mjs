// Renders Markdown as sites do. It reads a page a line, as JSON, and answers each in a
// line with the HTML of MDX and of VitePress, and with what Docusaurus knows of links.
import { createInterface } from "node:readline";

const [tools] = process.argv.slice(2); // where a session has installed them
const { evaluate } = await import(`${tools}/@mdx-js/mdx/index.js`);
const { default: remarkGfm } = await import(`${tools}/remark-gfm/index.js`);
const { createMarkdownRenderer } = await import(
  `${tools}/vitepress/dist/node/index.js`
);
const { createSSRApp } = await import(`${tools}/vue/index.mjs`);
const { renderToString } = await import(`${tools}/vue/server-renderer/index.mjs`);

class Html {
  constructor(text) {
    this.text = text;
  }
}

const escaped = (text) =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

function written(child) {
  if (child instanceof Html) return child.text;
  if (Array.isArray(child)) return child.map(written).join("");
  return escaped(String(child ?? ""));
}

const Fragment = ({ children }) => new Html(written(children));

function jsx(type, { children, ...properties }) {
  if (typeof type === "function") return type({ children, ...properties });
  const attributes = Object.entries(properties)
    .filter(([, value]) => typeof value === "string")
    .map(([name, value]) => ` ${name}="${escaped(value)}"`);
  const open = `<${type}${attributes.join("")}>`;
  return new Html(`${open}${written(children)}</${type}>`);
}

async function mdx(page) {
  const { default: Page } = await evaluate(page, {
    Fragment,
    jsx,
    jsxs: jsx,
    remarkPlugins: [remarkGfm],
  });
  const links = [];
  // MDX gives components what is Markdown, and makes a tag of what is a tag: of a link
  // that is one Docusaurus never hears.
  const a = (properties) => {
    links.push(properties.href);
    return jsx("a", properties);
  };
  return { html: Page({ components: { a } }).text, links };
}

const markdown = await createMarkdownRenderer("/nowhere", {
  highlight: (text) => text,
});

async function vitepress(page) {
  const app = createSSRApp({ template: `<div>${markdown.render(page)}</div>` });
  app.config.warnHandler = (warning) => {
    throw new Error(warning);
  };
  return { html: await renderToString(app) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const answer = {};
  for (const [name, render] of Object.entries({ mdx, vitepress })) {
    try {
      answer[name] = await render(JSON.parse(line));
    } catch (error) {
      answer[name] = { html: `<pre>${escaped(String(error))}</pre>` };
    }
  }
  console.log(JSON.stringify(answer));
}
