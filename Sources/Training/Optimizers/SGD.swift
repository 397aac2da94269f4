internal import Kernels

extension UpdateRule {
    /// Stochastic gradient descent without dampening.
    public static let sgd: UpdateRule = sgd(dampening: 0)

    /// Returns stochastic gradient descent: v = μv + (1 - dampening) g, w -= rate · v.
    ///
    /// With Nesterov momentum, w -= rate (g + μv). The first velocity is the gradient, and weight decay is added to the
    /// gradient, as in `torch.optim.SGD`.
    ///
    /// - Parameter dampening: Share of the gradient that does not enter the velocity, 0 or more. Nesterov momentum
    ///   requires 0.
    /// - Source: Sutskever et al., "On the importance of initialization and momentum in deep learning", ICML 2013.
    public static func sgd(dampening: Double) -> UpdateRule {
        UpdateRule(
            "sgd", title: "SGD",
            hyperparameters: [
                Hyperparameter("momentum", .nonNegative, 0, "momentum"),
                Hyperparameter("nesterov", .flag, 0, "Nesterov momentum", dependsOn: "momentum"),
            ],
            slots: ["momentum"], slotsDependOn: "momentum",
            step: .elements {
                SGDRule(
                    rate: $0.rate, momentum: $0["momentum"], dampening: dampening, weightDecay: $0.weightDecay,
                    isNesterov: $0["nesterov"] != 0, isFirst: $0.step == 1)
            },
            check: {
                $0["nesterov"] != 0 && ($0["momentum"] == 0 || dampening != 0)
                    ? "needs momentum and no dampening for Nesterov momentum"
                    : Hyperparameter.Range.nonNegative.problem(with: dampening, named: "dampening")
            })
    }
}
