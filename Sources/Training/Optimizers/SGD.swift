internal import Kernels

extension UpdateRule {
    /// Stochastic gradient descent: v = μv + (1 - dampening) g, w -= rate · v, or g + μv in the form of Nesterov.
    ///
    /// - Source: Sutskever et al., "On the importance of initialization and momentum", ICML 2013, in the form of
    ///   `torch.optim.SGD`: the first velocity is the gradient, and weight decay is part of the gradient.
    public static let sgd: UpdateRule = sgd(dampening: 0)

    public static func sgd(dampening: Double) -> UpdateRule {
        UpdateRule(
            "sgd", title: "SGD",
            hyperparameters: [
                Hyperparameter("momentum", .amount, 0, "momentum"),
                Hyperparameter("nesterov", .flag, 0, "Nesterov momentum", needs: "momentum"),
            ],
            slots: ["momentum"], slotsNeed: "momentum",
            step: .elements {
                SGDRule(
                    rate: $0.rate, momentum: $0["momentum"], dampening: dampening, weightDecay: $0.weightDecay,
                    isNesterov: $0["nesterov"] != 0, isFirst: $0.step == 1)
            },
            check: {
                $0["nesterov"] != 0 && ($0["momentum"] == 0 || dampening != 0)
                    ? "needs momentum and no dampening for Nesterov momentum"
                    : Hyperparameter.Range.amount.problem(with: dampening, named: "dampening")
            })
    }
}
