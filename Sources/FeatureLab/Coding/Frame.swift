internal import Bytes
internal import Foundation
internal import Interpretability
internal import System
internal import Workspace

/// Bytes as the workspace keeps them: a zstd frame, whose checksum says whether they are whole.
enum Frame {
    static func packed(_ bytes: [UInt8], _ compressor: Compressor) throws -> Data {
        try bytes.withUnsafeBytes { try compressor.withCompressed($0) { Data($0) } }
    }

    /// - Parameter what: Name of the data, for errors about corruption.
    static func unpacked(_ data: Data, limit: Int = 64 << 20, _ what: @autoclosure () -> String) throws -> [UInt8] {
        do {
            return try data.withUnsafeBytes { try Decompressor().decompress($0, limit: limit) }
        } catch is PayloadError {
            throw damage(what())
        }
    }

    /// Reads what a frame holds.
    static func decoded<T>(
        _ data: Data, _ what: @autoclosure () -> String, _ decode: (ByteReader) throws(ByteDamage) -> T
    ) throws -> T {
        let bytes = try unpacked(data, what())
        do throws(ByteDamage) {
            return try bytes.withRawBytes { (bytes) throws(ByteDamage) in try decode(ByteReader(bytes)) }
        } catch {
            throw damage(what())
        }
    }

    static func damage(_ what: String) -> Problem {
        Problem(
            .corrupt, what, "corrupt in the workspace",
            remedy: "Run orrery workspace check, then build the index again.")
    }
}
