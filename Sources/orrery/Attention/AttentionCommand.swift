import ArgumentParser

/// `orrery attention`: what heads attend to, what every layer would say, and where an answer comes from.
struct AttentionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attention",
        abstract: "See what heads attend to, what each layer would say, and what changes an answer.",
        discussion: """
            orrery attention heads MODEL scores every head on a repeated text; orrery attention show MODEL -p "..." prints \
            one head; orrery attention lens reads every layer as if it were the last; orrery attention attribute takes a \
            logit apart, with the sum beside it; orrery attention patch says which activation carries an answer, \
            ablate and paths which part it passes through, gradients which token; orrery attention steer pushes a model \
            along a direction. The same, live: the Attention panel.
            """,
        subcommands: [
            Heads.self, Show.self, Lens.self, TuneLens.self, Attribute.self, Gradients.self, Patch.self, Ablate.self,
            Paths.self, Circuits.self, Induction.self, Probe.self, Steer.self, Bench.self,
        ])
}
