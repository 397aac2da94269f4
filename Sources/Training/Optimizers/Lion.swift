internal import Kernels

extension UpdateRule {
    /// Lion: every weight moves by the rate, w -= rate (sign(β₁m + (1 - β₁) g) + weightDecay · w), m = β₂m + (1 - β₂) g.
    ///
    /// It takes a rate 3 to 10 times smaller than AdamW's, and a weight decay as many times larger.
    ///
    /// - Source: Chen et al., "Symbolic discovery of optimization algorithms", 2023, algorithm 2.
    public static let lion = UpdateRule(
        "lion", title: "Lion",
        hyperparameters: [
            Hyperparameter("beta1", .share, 0.9, "weight of momentum"),
            Hyperparameter("beta2", .share, 0.99, "of momentum"),
        ],
        slots: ["momentum"],
        step: .elements {
            LionRule(rate: $0.rate, betas: ($0["beta1"], $0["beta2"]), weightDecay: $0.weightDecay)
        })
}
