import JSON

/// `Goldens/statistics.json`, made by the script beside it.
let own: Golden = {
    let folder = "\(#filePath)".split(separator: "/").dropLast().joined(separator: "/")
    return Golden("/\(folder)/Goldens/statistics.json") ?? Golden(value: .null)
}()
