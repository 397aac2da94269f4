import SearchIndexes
import Testing

@Suite("Vector files")
struct VectorFileTests {
    @Test("NumPy and DiskANN files contain the same rows as .fvecs", arguments: ["base.fbin"])
    func sameRows(name: String) throws {
        #expect(try ForeignGoldens.vectors(name) == ForeignGoldens.vectors("base.fvecs"))
    }

    @Test(
        "integers and half-precision numbers are read as floats",
        arguments: [("float16.npy", 0.002, 1, 0), ("int8.npy", 1.0, 30, 0), ("uint8.npy", 1.0, 30, 128)]
            as [(String, Float, Float, Float)])
    func narrow(name: String, error: Float, scale: Float, shift: Float) throws {
        let base = try ForeignGoldens.vectors("base.fvecs")
        for (row, vector) in try ForeignGoldens.vectors(name).enumerated() {
            for (column, number) in vector.enumerated() {
                let wanted = base[row][column] * scale + shift
                #expect(abs(number - max(-128, min(wanted, 255))) <= error * max(1, abs(base[row][column])))
            }
        }
    }

    @Test("a matrix in column order is refused with a remedy")
    func columns() {
        let error = #expect(throws: SegmentError.self) { try ForeignGoldens.vectors("columns.npy") }
        #expect(error?.sentence.contains("ascontiguousarray") == true)
    }

    @Test("written rows are read again, without removed ones", arguments: [VectorFile.Format.fvecs, .npy])
    func roundTrip(format: VectorFile.Format) throws {
        let base = try ForeignGoldens.vectors("base.fvecs")
        let rows = try VectorRows(dimension: 8, metric: .l2)
        for (label, vector) in base.enumerated() { try rows.append(vector, label: Int64(label) + 7) }
        rows.remove(9)
        var bytes: [UInt8] = []
        let labels = VectorFile.write(rows, as: format) { bytes += $0 }
        #expect(labels == (7..<67).filter { $0 != 9 })
        let kept = base.enumerated().filter { $0.offset != 2 }.map(\.element)
        #expect(try ForeignGoldens.vectors(bytes, "copy.\(format.rawValue)") == kept)
    }

    @Test(
        "bytes and integers with a dimension before each row are read",
        arguments: [
            ("a.bvecs", [2, 0, 0, 0, 5, 255, 2, 0, 0, 0, 0, 1], [[5, 255], [0, 1]]),
            ("A.IVECS", [1, 0, 0, 0, 255, 255, 255, 255], [[-1]]),
            ("a.bin", [1, 0, 0, 0, 2, 0, 0, 0, 9, 200], [[9, 200]]),
            ("a.i8bin", [1, 0, 0, 0, 2, 0, 0, 0, 9, 200], [[9, -56]]),
        ] as [(String, [UInt8], [[Float]])])
    func handmade(name: String, bytes: [UInt8], rows: [[Float]]) throws {
        #expect(try ForeignGoldens.vectors(bytes, name) == rows)
    }

    @Test(
        "damaged files are errors",
        arguments: [
            ("a.fvecs", [2, 0, 0, 0, 1], "not a whole number of rows"),
            ("a.bvecs", [2, 0, 0, 0, 1, 2, 3, 0, 0, 0, 1, 2], "expected 2 numbers, found 3"),
            ("a.fvecs", [255, 255, 255, 255, 1, 2, 3, 4], "a row length of -1"),
            ("a.bin", [255, 255, 255, 255, 255, 255, 0, 0], "do not match 0 bytes"),
            ("a.npy", [1, 2, 3], "not a .npy array"),
            ("a.txt", [], "unknown file name extension"),
        ] as [(String, [UInt8], String)])
    func damaged(name: String, bytes: [UInt8], answer: String) {
        let error = #expect(throws: SegmentError.self) { try ForeignGoldens.vectors(bytes, name) }
        #expect(error?.sentence.contains(answer) == true, "\(error?.sentence ?? "")")
    }
}
