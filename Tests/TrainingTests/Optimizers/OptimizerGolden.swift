import Tensors
import Testing
import Training

/// Ten steps of every optimizer and the rates of every schedule: Goldens/optimizers/optimizers.safetensors.
struct OptimizerGolden {
    static let names = ["hidden.weight", "wide.weight", "token_embd.weight", "hidden.bias"]
    static let steps = 10
    private let file: TensorFile

    init() throws {
        let tests = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        file = try TensorFile.open("\(tests)/Goldens/optimizers/optimizers.safetensors")
    }

    func values(_ name: String) throws -> [Double] { try file.tensor(named: name, as: Double.self).elements }

    /// The parameters before the first step.
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

    /// The largest difference from what the ten steps should lead to.
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

/// A variant of the goldens, and its optimizer for either type of numbers.
struct OptimizerCase: CustomTestStringConvertible, Sendable {
    let name: String
    let rate: Double
    let single: @Sendable () throws -> any Optimizer<Float>
    let double: @Sendable () throws -> any Optimizer<Double>

    var testDescription: String { name }

    static let all = [
        OptimizerCase(name: "sgd", rate: 0.05, single: { try SGD() }, double: { try SGD() }),
        OptimizerCase(
            name: "sgd-momentum", rate: 0.05, single: { try SGD(momentum: 0.9, weightDecay: 0.02) },
            double: { try SGD(momentum: 0.9, weightDecay: 0.02) }),
        OptimizerCase(
            name: "sgd-dampening", rate: 0.05, single: { try SGD(momentum: 0.9, dampening: 0.3) },
            double: { try SGD(momentum: 0.9, dampening: 0.3) }),
        OptimizerCase(
            name: "sgd-nesterov", rate: 0.05, single: { try SGD(momentum: 0.8, isNesterov: true, weightDecay: 0.02) },
            double: { try SGD(momentum: 0.8, isNesterov: true, weightDecay: 0.02) }),
        OptimizerCase(name: "adam", rate: 0.01, single: { try Adam() }, double: { try Adam() }),
        OptimizerCase(
            name: "adam-decay", rate: 0.01, single: { try Adam(betas: (0.8, 0.95), weightDecay: 0.1) },
            double: { try Adam(betas: (0.8, 0.95), weightDecay: 0.1) }),
        OptimizerCase(name: "adamw", rate: 0.01, single: { try AdamW() }, double: { try AdamW() }),
        OptimizerCase(
            name: "adamw-matrices", rate: 0.01,
            single: { try AdamW(betas: (0.9, 0.99), epsilon: 1e-6, weightDecay: 0.1, decaying: .matrices) },
            double: { try AdamW(betas: (0.9, 0.99), epsilon: 1e-6, weightDecay: 0.1, decaying: .matrices) }),
        OptimizerCase(
            name: "lion", rate: 0.003, single: { try Lion(weightDecay: 0.1) }, double: { try Lion(weightDecay: 0.1) }),
        OptimizerCase(
            name: "muon", rate: 0.02, single: { try Muon(restRate: 0.5) }, double: { try Muon(restRate: 0.5) }),
        OptimizerCase(
            name: "muon-adam-scale", rate: 0.02,
            single: { try Muon(scale: .matchingAdam, weightDecay: 0.1, restRate: 0.5) },
            double: { try Muon(scale: .matchingAdam, weightDecay: 0.1, restRate: 0.5) }),
    ]
}

extension Optimizer {
    /// One step on these gradients.
    mutating func step(_ golden: OptimizerGolden, _ step: Int, _ parameters: [Parameter<Scalar>], rate: Double) throws {
        try golden.setGradients(step, of: parameters)
        try self.step(parameters, rate: rate)
    }
}
