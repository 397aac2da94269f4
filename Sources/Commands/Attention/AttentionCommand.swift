import ArgumentParser

/// The `orrery attention` command: attention, lenses, and causes of an answer.
struct AttentionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attention",
        abstract: "Inspect attention, layer predictions, and the causes of an answer.",
        discussion: """
            orrery attention heads MODEL scores every head on a repeated text; orrery attention show MODEL -p "..." \
            prints one head. orrery attention lens predicts from every layer; orrery attention attribute splits a \
            logit into contributions. orrery attention patch finds the activation that carries an answer; ablate and \
            paths find the parts that it passes through, and gradients finds the tokens. orrery attention steer \
            pushes a model along a direction. The Attention panel does the same interactively.
            """,
        subcommands: [
            Heads.self, Show.self, Lens.self, TuneLens.self, Attribute.self, Gradients.self, Patch.self, Ablate.self,
            Paths.self, Circuits.self, Induction.self, Probe.self, Steer.self,
        ])
}
