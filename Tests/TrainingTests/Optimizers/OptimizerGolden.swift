import Tensors
import Testing
import Training

/// The golden results of ten steps of every optimizer: Goldens/optimizers/optimizers.safetensors.
///
/// The file also contains the learning rates of every schedule.
struct OptimizerGolden {
    static let names = ["hidden.weight", "wide.weight", "token_embd.weight", "hidden.bias"]
    static let steps = 10
    private let file: TensorFile

    init() throws {
        let tests = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        file = try TensorFile.open("\(tests)/Goldens/optimizers/optimizers.safetensors")
    }

    func values(_ name: String) throws -> [Double] { try file.tensor(named: name, as: Double.self).elements }

    /// Returns the parameters before the first step.
    func parameters<Scalar: FloatingAccumulator>(as _: Scalar.Type = Scalar.self) throws -> [Parameter<Scalar>] {
        try Self.names.map {
            Parameter($0, try file.tensor(named: "start/\($0)", as: Double.self).converted(to: Scalar.self))
        }
    }

    func setGradients<Scalar>(_ step: Int, of parameters: [Parameter<Scalar>]) throws {
        for parameter in parameters {
            parameter.gradient = try file.tensor(named: "gradient/\(step)/\(parameter.name)", as: Double.self)
                .converted(to: Scalar.self)
        }
    }

    /// Returns the largest difference between the parameters and their golden values after ten steps.
    func worst<Scalar>(_ variant: String, _ parameters: [Parameter<Scalar>]) throws -> Double {
        var worst = 0.0
        for parameter in parameters {
            let expected = try values("result/\(variant)/\(parameter.name)")
            #expect(expected.count == parameter.count)
            for (a, b) in zip(parameter.value.elements, expected) {
                let difference = abs(a.float64 - b)
                worst = difference.isNaN ? .infinity : max(worst, difference)
            }
        }
        return worst
    }
}

/// A variant in the goldens, with the rule and hyperparameters that reproduce it.
struct OptimizerCase: CustomTestStringConvertible, Sendable {
    let name: String
    let rate: Double
    let rule: UpdateRule
    let values: [String: Double]
    let decaying: ParameterFilter
    let fallbackRateFactor: Double

    init(
        _ name: String, rate: Double, _ rule: UpdateRule, _ values: [String: Double] = [:],
        decaying: ParameterFilter = .all, fallbackRateFactor: Double = 1
    ) {
        self.name = name
        self.rate = rate
        self.rule = rule
        self.values = values
        self.decaying = decaying
        self.fallbackRateFactor = fallbackRateFactor
    }

    func optimizer<Scalar>(of _: Scalar.Type = Scalar.self) throws -> Optimizer<Scalar> {
        try Optimizer(rule, values, fallbackRateFactor: fallbackRateFactor, decaying: decaying)
    }

    var testDescription: String { name }

    static let all = [
        OptimizerCase("sgd", rate: 0.05, .sgd),
        OptimizerCase("sgd-momentum", rate: 0.05, .sgd, ["momentum": 0.9, "weight_decay": 0.02]),
        OptimizerCase("sgd-dampening", rate: 0.05, .sgd(dampening: 0.3), ["momentum": 0.9]),
        OptimizerCase("sgd-nesterov", rate: 0.05, .sgd, ["momentum": 0.8, "nesterov": 1, "weight_decay": 0.02]),
        OptimizerCase("adam", rate: 0.01, .adam),
        OptimizerCase("adam-decay", rate: 0.01, .adam, ["beta1": 0.8, "beta2": 0.95, "weight_decay": 0.1]),
        OptimizerCase("adamw", rate: 0.01, .adamW),
        OptimizerCase(
            "adamw-matrices", rate: 0.01, .adamW, ["beta2": 0.99, "epsilon": 1e-6, "weight_decay": 0.1],
            decaying: .matrices),
        OptimizerCase("lion", rate: 0.003, .lion, ["weight_decay": 0.1]),
        OptimizerCase("muon", rate: 0.02, .muon, fallbackRateFactor: 0.5),
        OptimizerCase(
            "muon-adam-scale", rate: 0.02, .muon(scale: .matchingAdam), ["weight_decay": 0.1], fallbackRateFactor: 0.5),
    ]
}

extension Optimizer {
    /// Performs a step with the golden gradients of that step.
    mutating func step(_ golden: OptimizerGolden, _ step: Int, _ parameters: [Parameter<Scalar>], rate: Double) throws {
        try golden.setGradients(step, of: parameters)
        try self.step(parameters, rate: rate)
    }
}
