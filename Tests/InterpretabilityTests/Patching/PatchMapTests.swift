import Interpretability
import System
import Tensors
import TestFixtures
import Testing

@Suite("A patching map")
struct PatchMapTests {
    private var map: PatchMap {
        var map = PatchMap(
            title: "z by layer and head", rows: PatchMap.Axis("layer", ["0", "1"]),
            columns: PatchMap.Axis("token, text", ["a", "b,\"c\""]), clean: 2, corrupt: -1, metric: "a metric",
            formula: "a formula")
        map.scores = [0.5, -1.95, .nan, 1.25]
        map.values = [0.5, -6.85, .nan, 2.75]
        return map
    }

    @Test("is not clipped, and knows its strongest cells")
    func strongest() {
        #expect(map.greatestMagnitude == 1.95)
        #expect(map.strongest(2).map(\.score) == [-1.95, 1.25])
        #expect(map.strongest(9).count == 3)
        #expect(map[1, 1] == 1.25 && map[2, 0].isNaN && map[0, -1].isNaN)
    }

    @Test("is exported as CSV with quoted labels, and as safetensors with metadata")
    func files() throws {
        #expect(
            map.csv() == """
                layer,"token, text",value,score
                0,a,0.5,0.5
                0,"b,""c""\",-6.85,-1.95
                1,"b,""c""\",2.75,1.25

                """)
        let folder = TemporaryFolder()
        let path = folder.file("map.safetensors")
        try map.write(to: path)
        let file = try TensorFile.open(path)
        let scores = try file.tensor(named: "scores", as: Double.self)
        #expect(scores.shape == [2, 2] && scores.elements[1] == -1.95)
        #expect(file.metadata["column_labels"] == #"["a","b,\"c\""]"#)
        #expect(file.metadata["corrupt"] == "-1.0" && file.metadata["complete"] == "false")
        let error = #expect(throws: Problem.self) { try map.write(to: folder.file("map.png")) }
        #expect(error?.remedy == "Use a name that ends in .safetensors.")
    }
}
