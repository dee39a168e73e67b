/** A small library about software and machine learning, with categories that were written down: what tests of topics read. */

const gateway = (title: string, body: string): string =>
  `---\ntitle: ${title}\ndescription: ${title} as we do it.\ncategory: software architecture\n---\n\n${body}\n`;

/** Files of the library by path. */
export const LIBRARY: Readonly<Record<string, string>> = {
  "categories.json": JSON.stringify({
    categories: [
      { id: "1", name: "software engineering", description: "Building software that lasts" },
      {
        id: "5",
        name: "software architecture",
        description: "Patterns and principles for structuring software systems",
        aliases: ["software design", "system architecture"],
        parent: "software engineering",
        related: ["distributed systems"],
      },
      { name: "distributed systems", parent: "1" },
      { id: "7362849501", name: "machine learning", aliases: ["ML"], description: "Models that learn from data" },
      { name: "healthcare", description: "Nothing about it yet" },
    ],
  }),
  "microservices/gateway.md": gateway(
    "API gateway",
    "# API gateway\n\nAn API gateway is the single door. The API gateway routes requests; the service mesh carries them.\n\n" +
      "## Load balancing\n\nThe API gateway does load balancing before the service mesh does load balancing again.\n\n" +
      "## Circuit breaker\n\nA circuit breaker in the API gateway opens when a service fails. Use `CircuitBreaker`.",
  ),
  "microservices/mesh.md": gateway(
    "Service mesh",
    "# Service mesh\n\nA service mesh is a layer of proxies. Beside the API gateway, a service mesh does load balancing.\n\n" +
      "## Circuit breaker\n\nEach proxy has a circuit breaker, `CircuitBreaker` by name. The circuit breaker of a service mesh is local.",
  ),
  "microservices/sagas.md": gateway(
    "Saga pattern",
    "# Saga pattern\n\nA saga pattern replaces one big transaction. The saga pattern needs event sourcing.\n\n" +
      "## Event sourcing\n\nWith event sourcing each step of the saga pattern is an event. Event sourcing and CQRS (Command Query Responsibility Segregation) go together.",
  ),
  "microservices/events.md":
    "---\ntags: [software architecture, distributed systems]\n---\n# Event sourcing\n\nEvent sourcing keeps what happened. Event sourcing needs no table of states.\n\n" +
    "## Snapshots\n\nA snapshot cuts event sourcing short. CQRS reads snapshots. A saga pattern ends in a snapshot.",
  "learning/gradient.md":
    "---\ncategories:\n  - ML\n---\n# Gradient descent\n\nGradient descent moves weights against the loss. Stochastic gradient descent takes a batch.\n\n" +
    "## Learning rate\n\nThe learning rate scales gradient descent. A large learning rate diverges.",
  "learning/networks.md":
    "---\ncategory: Machine Learning\n---\n# Neural networks\n\nA neural network is trained by gradient descent. Its learning rate falls. A neural network has layers.\n\n" +
    "## Convolution\n\nA convolution shares weights. Gradient descent trains a convolution like any neural network.",
  "plain.md": "# A plain page\n\nNothing of it is in a folder. It mentions the learning rate once.\n",
};
