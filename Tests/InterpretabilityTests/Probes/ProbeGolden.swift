import Interpretability
import Tensors

/// Data, and what scikit-learn made of it: made by Goldens/probes.py.
struct ProbeGolden {
    private let file: TensorFile
    let rows: Tensor<Float>
    let two: [Int]
    let three: [Int]

    init() throws {
        let folder = #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 }
        file = try TensorFile.open("\(folder)/Goldens/probes.safetensors")
        rows = try file.tensor(named: "rows", as: Float.self)
        two = try file.tensor(named: "two", as: Int32.self).elements.map { Int($0) }
        three = try file.tensor(named: "three", as: Int32.self).elements.map { Int($0) }
    }

    func labels(_ name: String) -> [Int] { name == "two" ? two : three }

    func tensor(_ name: String) throws -> Tensor<Double> {
        try file.tensor(named: name).converted(to: Double.self)
    }
}
