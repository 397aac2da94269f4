import Tensors
import Testing

@Suite struct ViewTests {
    private let cube: Tensor<Int32>  // [2, 3, 4], elements 0 to 23

    init() throws { cube = try Tensor<Int32>.arange(to: 24).reshaped([2, 3, 4]) }

    @Test("slices are views with the rules of NumPy") func slices() throws {
        #expect(try cube[1, 2].elements == [20, 21, 22, 23])
        #expect(try cube[-1, .all, 0].elements == [12, 16, 20])
        #expect(try cube[0, 1..., .every(2)].elements == [4, 6, 8, 10])
        #expect(try cube[0, 0, 1...2].elements == [1, 2])
        #expect(try cube[0, 0, -3 ... -1].elements == [1, 2, 3])
        #expect(try cube[0, 0, ..<99].elements == [0, 1, 2, 3])
        #expect(try cube[0, 0, .from(-2, to: nil)].elements == [2, 3])
        #expect(try cube[0, 0, .from(3, to: 0, step: -2)].elements == [3, 1])
        #expect(try cube[0, 0, .every(-1)].elements == [3, 2, 1, 0])
        #expect(try cube[.newAxis, 0, .newAxis].shape == [1, 1, 3, 4])
        #expect(try cube[.all, 3...].shape == [2, 0, 4])
        #expect(try cube.sliced(axis: -1, 1..., step: 2).elements.prefix(2) == [1, 3])
        #expect(try cube[1, 1..., .every(-2)].storage === cube.storage)
    }

    @Test("axes are exchanged, moved, added and removed without a copy") func axes() throws {
        #expect(try cube.transposed().element(at: [1, 3, 2]) == cube.element(at: [1, 2, 3]))
        #expect(try cube.transposed(0, 2).shape == [4, 3, 2])
        #expect(try cube.permuted([2, 0, 1]).element(at: [3, 1, 2]) == 23)
        #expect(try cube.movingAxis(0, to: -1).shape == [3, 4, 2])
        #expect(try cube.expanded(at: -1).shape == [2, 3, 4, 1])
        #expect(try cube.expanded(at: 0).squeezed(0) == cube)
        #expect(try cube.expanded(at: 1).expanded(at: 0).squeezed() == cube)
        #expect(try cube.permuted([1, 2, 0]).storage === cube.storage)
    }

    @Test("a reshape is a view wherever strides can say it") func reshapes() throws {
        #expect(try cube.reshaped([6, -1]).storage === cube.storage)
        #expect(try cube.transposed().reshaped([2, 2, 2, 3]).storage === cube.storage)
        #expect(try cube[.all, .all, .every(2)].reshaped([12]).storage === cube.storage)
        let copied = try cube.transposed().reshaped([24])
        #expect(copied.storage !== cube.storage)
        #expect(copied.elements == cube.transposed().elements)
        #expect(try Tensor<Float>([], shape: [0, 3]).reshaped([5, 0]).shape == [5, 0])
        #expect(try Tensor<Float>(1).reshaped([1, 1]).shape == [1, 1])
    }

    @Test("a broadcast view repeats without memory") func broadcast() throws {
        let row = try Tensor<Float>([1, 2]).broadcast(to: [1 << 40, 2])
        #expect(row.storage.count == 2 && row.strides == [0, 1])
        #expect(try row[-1].elements == [1, 2])
    }

    @Test(
        "flips and diagonals are NumPy's",
        arguments: [
            GoldenCase("flipped") { try $0.float().flipped(0, 2) },
            GoldenCase("diagonal -2") { try $0.float().diagonal(-2) },
            GoldenCase("diagonal 0") { try $0.float().diagonal() },
            GoldenCase("diagonal 1") { try $0.float().diagonal(1) },
        ])
    func golden(_ golden: GoldenCase) throws { try golden.check() }

    @Test("copies of views hold what indices say", arguments: 0..<24) func copies(seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed) + 100)
        let shape = (0..<3).map { _ in Int(random.next() % 40) + 1 }
        var view = try random.tensor(shape).permuted([[0, 1, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0]][seed % 4])
        if seed % 3 == 0 { view = try view.flipped(seed % 2) }
        if seed % 5 == 0 { view = try view[.every(2), .all, .from(0, step: 3)] }
        let copy = try view.copied(for: "test")
        #expect(copy.isContiguous && copy == view && copy.elements == view.elements)
        for _ in 0..<20 {
            let index = view.shape.map { Int(random.next() % UInt64($0)) }
            #expect(try copy.element(at: index) == view.element(at: index))
        }
    }

    @Test("large transposes are copied tile by tile") func transposes() throws {
        let wide = try Tensor<Float>.arange(to: 70 * 1030).reshaped([70, 1030])
        let tall = try wide.transposed().contiguous()
        #expect(try tall.element(at: [1029, 69]) == wide.element(at: [69, 1029]))
        #expect(tall == wide.transposed())
        let stack = try wide.reshaped([7, 10, 1030]).transposed()
        #expect(try stack.contiguous() == stack)
    }
}
