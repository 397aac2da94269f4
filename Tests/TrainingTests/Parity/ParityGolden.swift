import JSON
import Tensors
import TestFixtures
import Testing
import Training

/// What torch makes of a job: Goldens/parity/parity.json.
struct ParityGolden {
    let losses: [Double]
    /// Of the first step's gradients, by the names of the parameters.
    let norms: [String: Double]
    let projections: [String: Double]
    /// Of the first sequence's last places; of the language model alone.
    let logits: [Double]

    /// - Parameter path: from the root of the file: "gpt", or "penalty", "tanh".
    init(_ path: String...) throws {
        let tests = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        let text = try #require(File.text(tests + "/Goldens/parity/parity.json"))
        self = try JSONDocument(parsing: text).withRoot { root in
            var node: JSONNode? = root
            for name in path { node = node?.member(named: name) }
            return ParityGolden(try #require(node))
        }
    }

    private init(_ node: JSONNode) {
        func numbers(_ name: StaticString) -> [Double] { node[name]?.elements.map { $0.double ?? .nan } ?? [] }
        func named(_ name: StaticString) -> [String: Double] {
            var result: [String: Double] = [:]
            guard let members = node[name]?.members else { return result }
            for (key, value) in members { result[key.string ?? ""] = value.double ?? .nan }
            return result
        }
        losses = numbers("losses")
        norms = named("norms")
        projections = named("projections")
        logits = numbers("logits")
    }

    /// How far gradients are from torch's, as a part of their norm: by their norms, and by their products with vectors
    /// of random numbers, which are a third of the norm of what they are multiplied with.
    func worstGradient(_ gradients: [(name: String, gradient: Tensor<Float>?)]) throws -> Double {
        #expect(Set(gradients.map(\.name)) == Set(norms.keys))
        var worst = 0.0
        for (name, gradient) in gradients {
            let (norm, product) = (try #require(norms[name]), try #require(projections[name]))
            let numbers = try #require(gradient).elements.map { Double($0) }
            let found = numbers.reduce(0) { $0 + $1 * $1 }.squareRoot()
            let factors = ParityNumbers.values("projection/\(name)", numbers.count, -1..<1)
            let projection = zip(numbers, factors).reduce(0) { $0 + $1.0 * $1.1 }
            for difference in [abs(found - norm), abs(projection - product) * 3.0.squareRoot()] {
                worst = difference.isNaN ? .infinity : max(worst, difference / norm)
            }
        }
        return worst
    }

    func worstLoss(_ found: [Float]) -> Double {
        #expect(found.count == losses.count)
        return zip(found, losses).reduce(0) { worst, pair in
            let difference = abs(Double(pair.0) - pair.1)
            return difference.isNaN ? .infinity : max(worst, difference)
        }
    }
}
