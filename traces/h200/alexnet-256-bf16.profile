vdnn-profile 2
key NVIDIA H200, CUDA 13.0, driver 13.0, capability 9.0, cuBLAS 130100, cuDNN 91900, 1 threads
device cuda nchw fused 1 150109880320 149425356800 107571055816
rate copy_both_bytes_per_second 99344011544.220169
rate copy_in_beside_bytes_per_second 55097831271.288712
rate copy_in_bytes_per_second 55480211568.037712
rate copy_in_slows_moves 1.1212092646002256
rate copy_in_slows_products 1
rate copy_latency_seconds 2.8160065412521267e-06
rate copy_out_beside_bytes_per_second 55125347555.216209
rate copy_out_bytes_per_second 55524278106.905724
rate copy_out_slows_moves 1.0175737668427363
rate copy_out_slows_products 1
rate elementwise_bytes_per_second 3190338611963.437
rate launch_seconds 3.4015001729130733e-06
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.005917175555521282 597811200 brief
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0052630134072025195 614400
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00033195849042385824 96780947
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00073778246622532612 407642112
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0037476295997048016 121634816 brief
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0071479447671415107 108265472 brief
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0076266298119888045 2947328
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.003917424040142033 37939200
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0090541282910215504 0
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00033234246354550126 96780435
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0005551904914900661 407642112
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.002978646296076476 121634816
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0064041507421061395 108265472
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0058735583005473015 5280000
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0021430624602362513 75264000
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.010314358669333159 0
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00050946246366947903 104120831
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00071848650556057686 407642112
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0035365855894434776 121634816 brief
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0064374053386590437 108265472 brief
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.007937440351543262 2332928
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0034565958284638178 41803776
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.045320389102042488 4608
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.016125056657744524 39321600
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0072289265252517771 614400
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00018214849103242162 615043
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0042027339183995848 2947200 brief
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.0024387475111209843 37939200 brief
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00024429250229150051 614531
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0042851889478042722 5280000
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0014346925960853694 75264000
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00044691649544984099 9798143
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0042721729358094814 3561600
row conv(out=192,kernel=5x5,stride=1x1,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x64x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0028518325154385455 38553600 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0021406673045559345 200540160 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0019367215797283645 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00015301449876278642 46662291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.00059829461691471395 312606720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.0018176112562315937 129761280 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.0053380025977422668 123863040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0050009540580235479 1958400
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0023637494766632259 13639680
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.0042151866672689277 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00012690247874706985 46661779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.00053878858665271296 312606720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0017893655909256392 129761280 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.0053049399604912983 123863040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0045971918855852801 2737152
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0010779800438208767 26099712
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.0046322205225246766 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00019371851067990066 53740127
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.00070108666892862816 312606720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.0017457845314301607 129761280 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.0045945044260094665 123863040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0044105469762526451 778752
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0011612753340215594 13844480
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.012379899068564602 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.0069789403636159068 75497472 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.0026941599839850209 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 8.403650391846893e-05 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0029941480181559336 1958400 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.00093683140816634247 13639680 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 8.0292497761547579e-05 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0026224973136779093 2737152 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.00058657811724782119 26099712 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00016086850035935637 11797087
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0025271761024601236 3138048
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.00095128199388849267 14819328 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.0034974575067150287 300810752 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0031109583938471633 1769984
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00020440651755779981 58917523
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.00080775457525804274 393413120 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.002622648113861877 192675840 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.0077613570992663364 185303040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0054373586713829108 2937600
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0035033915419429283 20459520
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.0062149182054121168 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00018011845927685499 58917011
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.00078068341812841894 393412608 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0025827278176910407 192675840 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0072096838568534221 185303040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0045713279020907702 4105728
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0014710951837917381 39149568
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.0070011091166466543 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00022939850669354201 58916880
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.00088744766537144932 393412608 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0025705657897695257 192675840 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0061260056473570997 185303040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0048179594320067395 1168128
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0016164554851367707 20074496
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.012435295022882825 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.01042349847825315 113246208 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0044000951215443264 1769984
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00012269250024110075 1770115
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.0035358789969021959 2937600 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0013046686884967463 20459520 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00011885250080376866 1769603
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0027078058027536038 4105728 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.00084073226359191757 39149568 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00018896452058106661 7077904
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.0029671886695765131 4707072
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x384x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0013233044785835096 22228992 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.0021520460321333861 150848256 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0020211678331384553 1327872
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00022568647842854267 52495251
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.00063788700953350372 351683328 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.0020450780522849312 145981440 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.006030686305853696 139345920 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0050297827344635603 1911296
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0018965990786674143 10672128
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.0045522441928623992 0
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00016184650640934707 57606479
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.00065109664096559613 351682560 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0019465964517894833 145981440 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.0057199648194223972 139345920 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0050086395598283057 2495232
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.00099000760224624202 20017152
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.0054296123360341193 0
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.000269878494553268 59834767
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.00076090604030587625 351682560 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.0019522786851829256 145981440 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.0055496797261198536 139345920 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.004259677581902625 584192
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0010618486231493015 11421696
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.012528552516747801 4608
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.0079290302766447281 84934656 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0027735775225876825 1327872
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00013939650822430847 1328003
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.0026859437522362382 1911168 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.00078018312141759857 10672128 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00010333249438554047 6439231
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0026160221127057735 2495232
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.00050602858001436602 20017152 brief
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00022819650638848541 12648847
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.0024282461134997554 3238272
row conv(out=384,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x192x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.00083671124951032133 11999232
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 forward cudnn_gemm 256 0.011899222093634306 46592 brief
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 forward cudnn_implicit 256 0.0018015585122630002 46592
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 forward cudnn_precomputed 256 0.0016981026111170647 304814864
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 forward gemm 256 0.0055075743375346074 2242816
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 forward gemm_16 256 0.0030402465043589473 35185152
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 forward implicit 256 0.0029049503980204459 0
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 backward_filter cudnn_precomputed 256 0.0013103264747187497 319931024
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 backward_filter gemm 256 0.0059717343030497444 2196224
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 backward_filter gemm_16 256 0.0037844382701441642 41333760
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 backward_filter implicit 256 0.21870514859538526 4096
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=0;needs=0,1 backward_filter implicit_parts 256 0.0080067421076819301 2973696
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x55x55:bf16:nhwc;dx=0;needs=0,1 forward cudnn_implicit 256 0.0061229486213997012 123904
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x55x55:bf16:nhwc;dx=0;needs=0,1 forward cudnn_precomputed 256 0.00095117247570306062 124160
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x55x55:bf16:nhwc;dx=0;needs=0,1 forward gemm_nhwc 256 0.0074422128545120359 5980304
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x55x55:bf16:nhwc;dx=0;needs=0,1 forward gemm_nhwc_16 256 0.0058597166882827876 93826304
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x55x55:bf16:nhwc;dx=0;needs=0,1 backward_filter cudnn_precomputed 256 0.00073843652475625286 15612048
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x55x55:bf16:nhwc;dx=0;needs=0,1 backward_filter gemm_nhwc 256 0.0081830456601455805 6104208
row conv(out=64,kernel=11x11,stride=4x4,pad=2x2,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x55x55:bf16:nhwc;dx=0;needs=0,1 backward_filter gemm_nhwc_16 256 0.006049636696465314 93950208
row convert()x=256x256x6x6:bf16:nhwc;y=256x256x6x6:bf16:nchw;dx=1;needs=0,0 forward native 256 6.5325247123837563e-06 0
row convert()x=256x256x6x6:bf16:nhwc;y=256x256x6x6:bf16:nchw;dx=1;needs=0,0 backward_data native 256 5.9564905241131716e-06 0
row convert()x=256x3x224x224:bf16:nchw;y=256x3x224x224:bf16:nhwc8;dx=0;needs=0,0 forward native 256 0.00015075651276856664 0
row dropout(p=0.5)x=256x256x6x6:bf16:nchw;y=256x256x6x6:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 5.5904863402247306e-06 0
row dropout(p=0.5)x=256x256x6x6:bf16:nchw;y=256x256x6x6:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 2.5824932381510976e-06 0
row dropout(p=0.5)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.4224994704127406e-06 0
row dropout(p=0.5)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.1104969307780289e-06 0
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 2.2646489553153535e-05 8192000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.00050475849490612759 0
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 1.5606495551764987e-05 8192000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.00011586249154061077 0
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 2.2198501043021695e-05 4000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.00011947851162403822 4000 brief
row fc(out=4096,bias=1)x=256x256x6x6:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 9.525448363274337e-05 75497472
row fc(out=4096,bias=1)x=256x256x6x6:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.0015122785149142145 0
row fc(out=4096,bias=1)x=256x256x6x6:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 9.2886510305106621e-05 75497472
row fc(out=4096,bias=1)x=256x256x6x6:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.0011735905585810542 0
row fc(out=4096,bias=1)x=256x256x6x6:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 8.079050760716201e-05 16384
row fc(out=4096,bias=1)x=256x256x6x6:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.0010105825392529369 16384 brief
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 4.9718501977622515e-05 33554432
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.00068005451839417224 0
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 4.584650974720718e-05 33554432
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.0004554464844986797 0
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 5.0070497207343602e-05 16384
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.00047090250533074143 16384 brief
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x192x27x27:bf16:nchw;y=256x192x13x13:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00020421450119465591 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x192x27x27:bf16:nchw;y=256x192x13x13:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0011796704409644007 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x192x27x27:bf16:nhwc;y=256x192x13x13:bf16:nhwc;dx=1;needs=8,0 forward native 256 5.3988520987331888e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x192x27x27:bf16:nhwc;y=256x192x13x13:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00020701249409466982 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x256x13x13:bf16:nchw;y=256x256x6x6:bf16:nchw;dx=1;needs=8,0 forward native 256 5.4806488566100557e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x256x13x13:bf16:nchw;y=256x256x6x6:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.00035362248402088885 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x256x13x13:bf16:nhwc;y=256x256x6x6:bf16:nhwc;dx=1;needs=8,0 forward native 256 1.4084492810070471e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x256x13x13:bf16:nhwc;y=256x256x6x6:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 4.7780503518879416e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x64x55x55:bf16:nchw;y=256x64x27x27:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00029851852636784314 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x64x55x55:bf16:nchw;y=256x64x27x27:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0016237344620749353 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x64x55x55:bf16:nhwc;y=256x64x27x27:bf16:nhwc;dx=1;needs=8,0 forward native 256 7.5268511660397033e-05 0
row maxpool(kernel=3x3,stride=2x2,pad=0x0,ceil=0)x=256x64x55x55:bf16:nhwc;y=256x64x27x27:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00030109248030930755 0
row relu()x=256x192x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 3.9030510000884512e-05 0
row relu()x=256x192x27x27:bf16:nchw;y=256x192x27x27:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 3.6822515539824949e-05 0
row relu()x=256x192x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 3.7700508721172834e-05 0
row relu()x=256x192x27x27:bf16:nhwc;y=256x192x27x27:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 3.6740486510097959e-05 0
row relu()x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 1.2950497679412387e-05 0
row relu()x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 9.5584867522120423e-06 0
row relu()x=256x256x13x13:bf16:nchw;y=256x256x13x13:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 9.8144887015224035e-06 0
row relu()x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 1.2612496502697429e-05 0
row relu()x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 9.31650865823034e-06 0
row relu()x=256x256x13x13:bf16:nhwc;y=256x256x13x13:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 9.5405029132961924e-06 0
row relu()x=256x384x13x13:bf16:nchw;y=256x384x13x13:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 2.2518503479659552e-05 0
row relu()x=256x384x13x13:bf16:nhwc;y=256x384x13x13:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 2.2052501328289549e-05 0
row relu()x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=2,0;in_place forward native 256 8.5450988262889156e-07 0
row relu()x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=2,0;in_place backward_data native 256 1.8784878775477261e-06 0
row relu()x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 8.8650267571209506e-07 0
row relu()x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.206505112350006e-06 0
row relu()x=256x64x55x55:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 5.2918511442840102e-05 0
row relu()x=256x64x55x55:bf16:nchw;y=256x64x55x55:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 5.2054512314498428e-05 0
row relu()x=256x64x55x55:bf16:nhwc;y=256x64x55x55:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 5.2004490979015838e-05 0
row relu()x=256x64x55x55:bf16:nhwc;y=256x64x55x55:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 5.0596510060131543e-05 0
row softmax_loss()x=256x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 256 7.2865216061472697e-06 6144
row softmax_loss()x=256x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 256 1.3024983927607592e-06 0
end 213
