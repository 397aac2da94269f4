public import JSON

extension EstimateLine: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("value", value)
            json.member("unit", unit)
            json.member("formula", formula)
            json.member("source", source)
            json.member("note", ifPresent: note)
        }
    }
}

extension ModelDescription: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("name", name)
            json.member("parameters", parameters)
            json.member("active_parameters", activeParameters)
            json.member("layers", layers)
            json.member("hidden", hidden)
            json.member("heads", heads)
            json.member("kv_heads", kvHeads)
            json.member("head_width", headWidth)
            json.member("vocabulary", vocabulary)
            json.member("context", context)
            json.member("source", source)
        }
    }
}

extension KernelEstimate: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("model", request.model)
            json.member("device", request.device)
            json.member("devices", request.devices)
            json.member("sequence", request.sequence)
            json.member("batch", request.batch)
            json.member("zero_stage", request.zeroStage)
            json.objects("groups", of: groups) { group, json in
                json.member("title", group.title)
                json.member("lines", group.lines)
            }
        }
    }
}
