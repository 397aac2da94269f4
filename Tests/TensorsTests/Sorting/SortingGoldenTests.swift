import Tensors
import Testing

@Suite("Sorting, as NumPy does it")
struct SortingGoldenTests {
    private let golden: TensorFile

    init() throws { golden = try TensorFile.open(FileGoldens.folder + "/sorting-numpy.npz") }

    private func doubles(_ name: String) throws -> Tensor<Double> { try golden.tensor(named: name, as: Double.self) }
    private func integers(_ name: String) throws -> Tensor<Int32> { try golden.tensor(named: name, as: Int32.self) }

    /// Equal, NaN for NaN.
    private func same(_ a: Tensor<Double>, _ b: Tensor<Double>) -> Bool {
        a.shape == b.shape && zip(a.elements, b.elements).allSatisfy { $0 == $1 || ($0.isNaN && $1.isNaN) }
    }

    @Test("sorted and argsort, along any axis", arguments: [0, 1, 2])
    func sorting(axis: Int) throws {
        let values = try doubles("values")
        #expect(same(try values.sorted(axis: axis), try doubles("sorted\(axis)")))
        #expect(try values.argsort(axis: axis) == integers("argsort\(axis)"))
        #expect(try values.argsort(axis: axis - 3) == integers("argsort\(axis)"))
    }

    @Test("the same of float32, whose keys are others", arguments: [0, 1, 2])
    func sortingFloats(axis: Int) throws {
        let values = try doubles("values").converted(to: Float.self)
        #expect(same(try values.sorted(axis: axis).converted(), try doubles("sorted\(axis)")))
        #expect(try values.argsort(axis: axis) == integers("argsort\(axis)"))
    }

    @Test("median and quantiles, along any axis", arguments: [0, 1, 2])
    func quantiles(axis: Int) throws {
        let values = try doubles("values")
        let clean = try doubles("clean")
        #expect(same(try values.median(axis: axis), try doubles("median\(axis)")))
        for (share, name) in [(0, "0"), (0.1, "0.1"), (0.25, "0.25"), (0.5, "0.5"), (0.731, "0.731"), (1, "1")] {
            let found = try clean.quantile(share, axis: axis)
            let expected = try doubles("quantile\(axis)/\(name)")
            #expect(found.shape == expected.shape)
            for (a, b) in zip(found.elements, expected.elements) { #expect(abs(a - b) <= 4e-16 * max(1, abs(b))) }
        }
    }

    @Test("median and quantiles of all elements") func quantilesOfAll() throws {
        #expect(try doubles("clean").median().scalar == doubles("median").scalar)
        #expect(try doubles("clean").quantile(0.9).scalar == doubles("quantile").scalar)
    }

    @Test("the different elements with their counts") func unique() throws {
        let found = try doubles("values").unique()
        #expect(same(found.values, try doubles("unique")))
        #expect(try found.counts == integers("counts"))
        #expect(try found.inverse == integers("inverse"))
    }

    @Test("where elements belong in a sorted vector") func searchSorted() throws {
        let vector = try doubles("vector")
        #expect(try vector.searchSorted(doubles("sought")) == integers("left"))
        #expect(try vector.searchSorted(doubles("sought"), side: .right) == integers("right"))
    }
}
