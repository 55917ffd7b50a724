"""What torchvision calls the layers of the networks that it has too.

For each family of networks rules in order: a pattern of a layer's whole name, and the module that it is, as
a template or as a function of the match and of all layers' names. A network has torchvision's names if each of
its layers with parameters has one, else its layers'.
"""
from __future__ import annotations

import re
from typing import Callable, Iterable, Union

Rule = tuple[str, Union[str, Callable[[re.Match, list[str]], str]]]


def vgg_feature(match: re.Match, layers: list[str]) -> str:
    """Modules stand in one row: convolution and ReLU take a number each, and each block ends with a pool."""
    block, i = int(match[1]), int(match[2])
    before = sum(int(found[1]) < block for found in map(re.compile(r"conv(\d+)_\d+").fullmatch, layers) if found)
    return f"features.{2 * (before + i - 1) + block - 1}"


def numbered(prefix: str, numbers: dict[str, int]) -> Callable[[re.Match, list[str]], str]:
    return lambda match, layers: f"{prefix}.{numbers[match[1]]}" if match[1] in numbers else ""


def fire(match: re.Match, layers: list[str]) -> str:
    """Before fire2 are convolution, ReLU and pool; pools are before fire4 and fire6 too."""
    number = int(match[1])
    return f"features.{number + 1 + (number >= 4) + (number >= 6)}.{match[2]}"


# GoogLeNet's modules are torchvision's, which has batch norm there in place of the biases, and a
# 3 x 3 convolution where the paper, as here, has one of 5 x 5.
BRANCH = {"1x1": "branch1", "3x3_reduce": "branch2.0", "3x3": "branch2.1", "5x5_reduce": "branch3.0",
          "5x5": "branch3.1", "pool_proj": "branch4.1"}
GOOGLENET_STEM = {"conv1": "conv1", "conv2_reduce": "conv2", "conv2": "conv3"}

RULES: dict[str, list[Rule]] = {
    r"vgg\d+": [
        (r"conv(\d+)_(\d+)", vgg_feature), (r"fc(\d)", numbered("classifier", {"6": 0, "7": 3, "8": 6}))],
    "alexnet": [
        (r"conv(\d)", numbered("features", {"1": 0, "2": 3, "3": 6, "4": 8, "5": 10})),
        (r"fc(\d)", numbered("classifier", {"6": 1, "7": 4, "8": 6}))],
    r"resnet\d+": [
        (r"(conv1|bn1|fc)", r"\1"), (r"(layer\d)_(\d+)_downsample_(\d)", r"\1.\2.downsample.\3"),
        (r"(layer\d)_(\d+)_(conv\d|bn\d)", r"\1.\2.\3")],
    r"densenet\d+": [
        (r"classifier", "classifier"), (r"(conv0|norm0|norm5)", r"features.\1"),
        (r"block(\d)_(\d+)_(norm\d|conv\d)", r"features.denseblock\1.denselayer\2.\3"),
        (r"(transition\d)_(norm|conv)", r"features.\1.\2")],
    "googlenet": [
        (r"fc6", "fc"), (r"(conv\w+)", lambda match, layers: f"{GOOGLENET_STEM.get(match[1], '?')}.conv"),
        (r"inception_(\d[a-e])_(\w+)", lambda match, layers: f"inception{match[1]}.{BRANCH[match[2]]}.conv")],
    "squeezenet": [
        (r"conv1", "features.0"), (r"conv10", "classifier.1"), (r"fire(\d)_(squeeze|expand1x1|expand3x3)", fire)],
    "inception_v3": [
        (r"fc", "fc"), (r"(Conv2d_\w+?)_bn", r"\1.bn"), (r"(Conv2d_\w+)", r"\1.conv"),
        (r"(Mixed_\d[a-e])_(\w+?)_bn", r"\1.\2.bn"), (r"(Mixed_\d[a-e])_(\w+)", r"\1.\2.conv")],
}

# What torchvision's files have and no network here: counters, and heads that are of use in training alone.
LEFT_OUT = re.compile(r".*\.num_batches_tracked|AuxLogits\..*|aux\d\..*")

DIFFERENCES = {"googlenet": "torchvision's has batch norm in place of the biases, and convolutions of 3 x 3 in place "
                            "of those of 5 x 5: vdnn.from_torch takes it as it is"}


def module_of(rules: list[Rule], layer: str, layers: list[str]) -> str:
    for pattern, name in rules:
        match = re.fullmatch(pattern, layer)
        if match:
            return match.expand(name) if isinstance(name, str) else name(match, layers)
    return ""


def torch_names(network: str, layers: Iterable[str]) -> dict[str, str]:
    """Of each layer its module; that of another network, or of one that was changed, is the layer itself."""
    layers = list(dict.fromkeys(layers))
    rules = next((rules for pattern, rules in RULES.items() if re.fullmatch(pattern, network)), [])
    names = {layer: module_of(rules, layer, layers) for layer in layers}
    is_whole = all(names.values()) and len(set(names.values())) == len(names)
    return names if is_whole else {layer: layer for layer in layers}
