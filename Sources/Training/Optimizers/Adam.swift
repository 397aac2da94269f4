internal import Kernels

extension UpdateRule {
    /// Adam: w -= rate · m̂ / (√v̂ + ε), with weight decay added to the gradient.
    ///
    /// - Source: Kingma and Ba, "Adam: a method for stochastic optimization", 2015, algorithm 1, in the form of
    ///   `torch.optim.Adam`.
    public static let adam = adam("adam", title: "Adam", weightDecay: 0, isDecoupled: false)

    /// AdamW: Adam with decoupled weight decay, w -= rate · weightDecay · w, which does not enter the moments.
    ///
    /// - Source: Loshchilov and Hutter, "Decoupled weight decay regularization", 2019, algorithm 2, in the form of
    ///   `torch.optim.AdamW`.
    public static let adamW = adam("adamw", title: "AdamW", weightDecay: 0.01, isDecoupled: true)

    private static func adam(_ name: String, title: String, weightDecay: Double, isDecoupled: Bool) -> UpdateRule {
        UpdateRule(
            name, title: title,
            hyperparameters: [
                Hyperparameter("beta1", .fraction, 0.9, "decay of the first moment"),
                Hyperparameter("beta2", .fraction, 0.999, "decay of the second moment"),
                Hyperparameter("epsilon", .nonNegative, 1e-8, "added to the denominator"),
            ],
            weightDecay: weightDecay, slots: ["first", "second"], countsSteps: true,
            step: .elements {
                AdamRule(
                    rate: $0.rate, betas: ($0["beta1"], $0["beta2"]), epsilon: $0["epsilon"], step: $0.step,
                    weightDecay: $0.weightDecay, isDecoupled: isDecoupled)
            })
    }
}
