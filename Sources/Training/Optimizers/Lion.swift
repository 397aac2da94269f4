internal import Kernels

extension UpdateRule {
    /// Lion: w -= rate (sign(β₁m + (1 - β₁) g) + weightDecay · w), then m = β₂m + (1 - β₂) g.
    ///
    /// Every weight changes by the same amount, so the learning rate should be 3 to 10 times smaller than AdamW's, and
    /// the weight decay larger by the same factor.
    ///
    /// - Source: Chen et al., "Symbolic discovery of optimization algorithms", 2023, algorithm 2.
    public static let lion = UpdateRule(
        "lion", title: "Lion",
        hyperparameters: [
            Hyperparameter("beta1", .fraction, 0.9, "weight of momentum"),
            Hyperparameter("beta2", .fraction, 0.99, "of momentum"),
        ],
        slots: ["momentum"],
        step: .elements {
            LionRule(rate: $0.rate, betas: ($0["beta1"], $0["beta2"]), weightDecay: $0.weightDecay)
        })
}
