import JSON
import Tensors
import TestFixtures
import Testing

/// What NumPy made of seeded inputs: Goldens/core-goldens.json, written by core-goldens.py.
struct CoreGolden {
    let inputs: [String: AnyTensor]
    let result: AnyTensor

    static let all: [String: CoreGolden] = {
        let path = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        guard let bytes = File.bytes("/\(path)/Goldens/core-goldens.json") else { return [:] }
        let cases = try? JSONParser().parse(bytes) { root in
            var shared: [String: AnyTensor] = [:]
            for (name, node) in root["inputs"]!.members { shared[name.string!] = tensor(node) }
            var cases: [String: CoreGolden] = [:]
            for (name, node) in root["cases"]!.members {
                var inputs: [String: AnyTensor] = [:]
                for (role, input) in node["inputs"]!.members { inputs[role.string!] = shared[input.string!] }
                cases[name.string!] = CoreGolden(inputs: inputs, result: tensor(node["result"]!)!)
            }
            return cases
        }
        return cases ?? [:]
    }()

    static func named(_ name: String) throws -> CoreGolden { try #require(all[name], "there is no golden \(name)") }

    func float(_ role: String = "a") throws -> Tensor<Float> { try tensor(role) }

    func tensor<Scalar>(_ role: String = "a", as _: Scalar.Type = Scalar.self) throws -> Tensor<Scalar> {
        try #require(inputs[role]?.as(Scalar.self), "the golden has no input \(role) of that type")
    }

    private static func tensor(_ node: JSONNode) -> AnyTensor? {
        let shape = node["shape"]!.elements.map { Int($0.int!) }
        let values = node["values"]!.elements.map { value in
            value.double ?? value.bool.map { $0 ? 1 : 0 } ?? Double(value.string!)!
        }
        func make<Scalar: TensorScalar>(_: Scalar.Type) -> AnyTensor? {
            (try? Tensor(values.map { Scalar(rounding: $0) }, shape: shape)).map { AnyTensor($0) }
        }
        switch node["type"]?.string.flatMap(DataType.init(rawValue:)) {
        case .float32: return make(Float.self)
        case .float64: return make(Double.self)
        case .float16: return make(Float16.self)
        case .bfloat16: return make(BFloat16.self)
        case .int8: return make(Int8.self)
        case .int32: return make(Int32.self)
        case .bool: return make(Bool.self)
        case nil: return nil
        }
    }
}

/// A golden and the expression that must make it.
struct GoldenCase: CustomTestStringConvertible, Sendable {
    let name: String
    let tolerance: Double
    let make: @Sendable (CoreGolden) throws -> AnyTensor

    /// - Parameter tolerance: allowed error, relative to the larger of 1 and the expected value; 0 wants the same bits.
    init<Scalar>(
        _ name: String, within tolerance: Double = 0, _ make: @escaping @Sendable (CoreGolden) throws -> Tensor<Scalar>
    ) {
        self.name = name
        self.tolerance = tolerance
        self.make = { AnyTensor(try make($0)) }
    }

    var testDescription: String { name }

    func check(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let golden = try CoreGolden.named(name)
        let found = try make(golden)
        #expect(found.dataType == golden.result.dataType, sourceLocation: sourceLocation)
        try expectClose(
            found.converted(to: Double.self), golden.result.converted(to: Double.self), within: tolerance,
            sourceLocation: sourceLocation)
    }
}

/// Shape first, then values; a failure names the worst place and both numbers.
func expectClose(
    _ found: Tensor<Double>, _ expected: Tensor<Double>, within tolerance: Double,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(found.shape == expected.shape, sourceLocation: sourceLocation)
    guard found.shape == expected.shape else { return }
    var worst = (place: -1, error: 0.0)
    let (a, b) = (found.elements, expected.elements)
    for i in a.indices where !(a[i] == b[i] || a[i].isNaN && b[i].isNaN) {
        let error = abs(a[i] - b[i]) / max(1, abs(b[i]))
        if !(error <= worst.error) { worst = (i, error.isNaN ? .infinity : error) }
    }
    #expect(
        worst.error <= tolerance,
        "element \(worst.place) is \(worst.place < 0 ? 0 : a[worst.place]), expected \(worst.place < 0 ? 0 : b[worst.place])",
        sourceLocation: sourceLocation)
}
