vdnn-profile 2
key NVIDIA H200, CUDA 13.0, driver 13.0, capability 9.0, cuBLAS 130100, cuDNN 91900, 1 threads
device cuda nchw fused 1 150109880320 149425356800 107508930968
rate copy_both_bytes_per_second 99466517604.631927
rate copy_in_beside_bytes_per_second 52658744887.868942
rate copy_in_bytes_per_second 51598071877.308121
rate copy_in_slows_moves 1.1098600600453912
rate copy_in_slows_products 1
rate copy_latency_seconds 2.8160065412521267e-06
rate copy_out_beside_bytes_per_second 54778333916.404228
rate copy_out_bytes_per_second 51466380887.481972
rate copy_out_slows_moves 1.021906082962472
rate copy_out_slows_products 1
rate elementwise_bytes_per_second 4174807951375.0483
rate launch_seconds 3.2449997961521144e-06
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.039941779192537066 7399047168
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.034239016588676258 294912
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.003238867100328207 1644757395
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.010597938742488622 7401406464
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.15916341713076085 2143027200 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.19102603676662455 1963130880 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.028829874392598872 29196288
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.027933459755033255 462716928
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.081216644393570861 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0026364989541471004 1644757139
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0078520511947572248 7401406464
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.15889752606634469 2143027200 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.19014389932269768 1963130880 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.016153139468282462 58097664
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.014196050819009544 925138944
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.086155219831112573 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0039650428853929042 1652425383
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.014025586660951377 7401406464
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.14409250474840488 2143027200
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.17440951322155762 1963130880 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.034773907061666248 28901376
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.034462610360234978 513802240
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.81212280769408562 4096
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.14094587412615409 18874368
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.049808943808522174 294912
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0012754419613629578 295299
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.02947169758565724 29196288
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.02848584141023457 462716928
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0012931060064584018 295043
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.018533873336389662 58097664
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.01632693006284535 925138944
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0032861300576478248 8848039
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.031613587157800792 29491200
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.029566322581842542 463011840
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.017219155725091695 3699523840
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.016452207136302768 147712
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0023882749043405058 1233420691
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0052560507617890832 5550391552
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.052527005035917534 1131479040
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.07024175091108481 996556800
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.016012018557637932 14598144
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.015059603806585076 231358464
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.040866748277637123 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0019001789055764677 1233420435
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.005158034916967153 5550391296
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.052619839212794096 1131479040
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.068909857624940604 996556800
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0085450109206140056 29048832
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0072445306740701191 462569472
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.042752630479825859 0
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0031146429739892486 1237254823
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.009277011092752219 5550391296
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.050993663907183635 1131479040
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.064176334238603694 996556800
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.019799089785665275 14450688
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.019051891680806874 282591232
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.8164966432304106 4096
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.084789987914937984 9437184
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.022479984770463167 147712
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00070814602263271807 147843
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.016525921567867773 14598144 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.015411866119024427 231358464 brief
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00091697792895138264 147587
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.010291474120691421 29048832
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0083122743535786886 462569472
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0027260978985577822 4424359
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.018489074485376476 14745600
row conv(out=128,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.016067377345636489 231505920
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.015712723311036826 1850278400
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.016440217645609795 590336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0014265149794518948 617742995
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.003768019136041403 2779841024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.044670329643050635 1050869760 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.06262405258203492 982302720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0093145793639123429 7815168
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0077655868493020528 116195328
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.038867965648571721 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0011113470159471036 617742483
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0035170429311692712 2779840512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.044558694742724066 1050869760 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.061473464780308844 982302720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0057329791747033594 15040512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0038687232695519933 231800832
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.043739363409556878 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0018170751295983791 633078439
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0058784190975129597 2779840512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.039637853354167828 1050869760 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.054514148825081508 982302720 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.011084498759359122 7225344
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0098240830861032018 141295616
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.2007269273171684 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.066045775058824793 37748736
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.021960768419106488 590336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0006057140100747347 590467
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.0093413494089358232 7815168
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0078248503971844914 116195328
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00062977798469364638 589955
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0064744813609868288 15040512
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0044439861942082645 231800832
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.001658001946285367 17695399
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.010373778598383069 8404992
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x128x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0082588019538670787 116785152
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.031449394460767506 3700555776
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.037023721458635014 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0021337790451943874 824443539
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0076892031393945215 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.14870788073254559 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.1807943702221341 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.016289459582418207 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.014462098833173514 232390656
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.07558015376902015 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0018300670944154263 824443027
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0062159549556672572 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.14796399847154393 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.17977206768894566 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0091985458098351961 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0074543234072625636 463601664
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.08620530788541482 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0025105469785630702 840958631
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0084037951193749912 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.13600480426691439 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.17062521541002809 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.018666802760213614 14450688
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.017696851488202811 256901120
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.22804417312362313 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.12636979025670908 75497472
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.031013554748147727 3700556288
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.03598444574375901 1180160
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0021360509358346459 824443539
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0063748350106179715 3709993472
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.14863796203347829 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.18080003331295225 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.016473266001790766 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.014636083241552115 232390656
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.075646293554574903 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0018300670944154263 824443027
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0062159549556672572 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.14796399847154393 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.17977206768894566 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0091985458098351961 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0074543234072625636 463601664
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.08620530788541482 0
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0025105469785630702 840958631
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0084037951193749912 3709992960
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.13600480426691439 2040791040 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.17062521541002809 1949368320 brief
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.018666802760213614 14450688
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.017696851488202811 256901120
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.22804417312362313 4096
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.12636979025670908 75497472
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.052852788676228064 1179648
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0011770419944077731 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.016184337394312024 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.014541809694841505 232390656
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.001170514004305005 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.010546418445184828 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0085613302160054451 463601664
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.002207058118656278 21234343
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.017018256919458508 16809984
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.015229489820078015 233570304
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.051373242553276917 1180160
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.001177010016515851 1180291
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.016403410689905286 15630336
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.014731186347082257 232390656
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.001170514004305005 1179779
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.010546418445184828 30081024
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0085613302160054451 463601664
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.002207058118656278 21234343
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.017018256919458508 16809984
row conv(out=256,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.015229489820078015 233570304
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.018250283564175098 927204352
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.017366895879347009 2360320
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0010167549811303618 313001107
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0029889149628579618 1408500736
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.036905699297938216 1022361600 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.053188646590011726 986972160 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0060617793761193741 5971968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0042622269354760647 60162048
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.038978660639076498 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00082846703752875327 313000083
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0028896829448640349 1408499712
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.034437727726642615 1022361600 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.054664382585149669 986972160 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0039660991393029683 9584640
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0022176829539239406 117964800
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.046996134983994159 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0012489470206201079 316932847
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0036513469181954868 1408499712
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.041404489747279831 1022361600 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.055178540179780931 986972160 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.006678099032491446 3612672
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0053616192303597926 70647808
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.10170127750286626 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.063527973301462287 150994944
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.024534327146897142 2360320
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00059560205228626731 2360451
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.0060411698985844853 5971968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0042197620440274477 60162048
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00057445003278553492 2359427
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0042778423000127078 9584640
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0025450419355183842 117964800
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0011724979449063541 13370095
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.0063645942378789191 8331264
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x256x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0046943220663815746 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.0093087704625232741 467140608 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.0094526747329757594 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00045243501290678984 112198803
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0019488510452210905 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.010367759456474258 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.022565595831919055 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.0068867734890316447 6524928
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0037391946921689454 33619968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.020310076369903948 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00040241896733641625 112197779
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0017690749131143092 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.0097939558871669476 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.020735122857245492 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0053759235200842286 8331264
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0024394109807908538 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.023500216343407938 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00051925098523497581 120062703
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0021299390159547332 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.010610580084420913 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.019330158332208865 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.0070996025512079577 1806336
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0025547069869935515 32112640
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.040070951113417165 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.033002794036536234 301989888 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.0091051821410196524 467141632 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.0094275292586659485 4719616
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0004513470195233821 112198803
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0018380669914186002 646448128
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.010361093629525697 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.022612706652050334 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.0069140406008330844 6524928
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.003786001635236784 33619968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.020288263103689905 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00040241896733641625 112197779
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0017690749131143092 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.0097939558871669476 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.020735122857245492 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0053759235200842286 8331264
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0024394109807908538 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.023500216343407938 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00051925098523497581 120062703
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0021299390159547332 646447104
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.010610580084420913 589299712 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.019330158332208865 575143936 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.0070996025512079577 1806336
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0025547069869935515 32112640
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.040070951113417165 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.033002794036536234 301989888 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.012397571011335172 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.00030145801790058612 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.0044670459562818291 6524928 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.002019538002088666 33619968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.00029713802225887775 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.003178566068806286 8331264 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.001353521900251508 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.00046798603422939773 26739439
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.0044078172975987335 11243520
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0022536820936948062 38338560
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.012273510590288222 4719616
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.00030014600045979024 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.0045003714230563681 6524928 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0021427539232260107 33619968
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.00029713802225887775 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.003178566068806286 8331264 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.001353521900251508 62521344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.00046798603422939773 26739439
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.0044078172975987335 11243520
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0022536820936948062 38338560
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.030431122358888389 1854406656
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.03178974681720137 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0016300989352166651 420480147
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.0062214590869843957 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.12865155042902102 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.1622778453372071 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.010014514323323967 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.0078993147574365156 120324096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.076706000788459183 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0014711230359971523 420479123
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.0053495869003236289 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.13000007175429631 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.16162176445517379 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.0060727552138268937 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.0044076030217111107 235929600
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.094085529261243278 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0018733309470117094 428344047
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.0064851388894021506 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.14904393731170942 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.18029330113761322 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.01120478665456176 7225344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.0095072191916406156 128450560
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 0.15311097233362897 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.12816785360882485 301989888
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_gemm 256 0.030103410299867392 1854407680
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.031501681979745629 4719616
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0016310590468347076 420480147
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward cudnn_winograd_nonfused 256 0.0055531711541116227 1892156416
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_16 256 0.12876854325045495 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward fft_4 256 0.16211241470636834 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm 256 0.010121682520955803 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward gemm_16 256 0.0080076986514031889 120324096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu forward implicit 256 0.076879603776580874 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0014711230359971523 420479123
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data cudnn_winograd_nonfused 256 0.0053495869003236289 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_16 256 0.13000007175429631 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data fft_4 256 0.16162176445517379 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm 256 0.0060727552138268937 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data gemm_16 256 0.0044076030217111107 235929600
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_data implicit 256 0.094085529261243278 0
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0018733309470117094 428344047
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter cudnn_winograd_nonfused 256 0.0064851388894021506 1892155392
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_16 256 0.14904393731170942 2013265920 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter fft_4 256 0.18029330113761322 1966080000 brief
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm 256 0.01120478665456176 7225344
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter gemm_16 256 0.0095072191916406156 128450560
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit 256 0.15311097233362897 4096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=4,1;relu backward_filter implicit_parts 256 0.12816785360882485 301989888
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.052089310468804766 4718592
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.001132146017625928 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.010095890777185559 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.0078535540867596867 120324096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0011269619930535555 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.0067561462093144661 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.0048707060981541869 235929600
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0017212020326405762 26739439
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.010770354049280288 16662528
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.0084653302002698199 125042688
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_implicit 256 0.051359682574609503 4719616
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward cudnn_precomputed 256 0.0011298420000821353 4719747
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc 256 0.010189425246790052 11943936
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu forward gemm_nhwc_16 256 0.0079580660630017511 120324096
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data cudnn_precomputed 256 0.0011269619930535555 4718723
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc 256 0.0067561462093144661 19169280
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_data gemm_nhwc_16 256 0.0048707060981541869 235929600
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter cudnn_precomputed 256 0.0017212020326405762 26739439
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc 256 0.010770354049280288 16662528
row conv(out=512,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=4,1;relu backward_filter gemm_nhwc_16 256 0.0084653302002698199 125042688
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward cudnn_gemm 256 0.0056187069378793239 693636864
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward cudnn_implicit 256 0.0036119550429284573 3840
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward cudnn_precomputed 256 0.0036127230487763883 3840
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward cudnn_winograd_nonfused 256 0.0053378748260438438 7745600256
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward fft_16 256 0.02666142761334777 529582080 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward fft_4 256 0.036566481944173571 165849600 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward gemm 256 0.0084849470816552655 2713088
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward gemm_16 256 0.0066001151166856283 43355648
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu forward implicit 256 0.0072764668725430965 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter cudnn_precomputed 256 0.0057777792178094391 1854456464
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter cudnn_winograd_nonfused 256 0.032553012486547225 7745600000 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter fft_16 256 0.033657299395650618 529582080 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter fft_4 256 0.044001299735158678 165849600 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter gemm 256 0.012470674868673086 2709504
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter gemm_16 256 0.011100402709096671 146112512
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter implicit 256 3.3732158454023304 4096
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=0;needs=0,1;relu backward_filter implicit_parts 256 0.11101317000016571 221184
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward cudnn_implicit 256 0.0094208182264119388 9472
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward cudnn_precomputed 256 0.0019790580440312627 9472
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward gemm_nhwc 256 0.011579697387292982 7234560
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu forward gemm_nhwc_16 256 0.010135954396799207 115614720
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu backward_filter cudnn_precomputed 256 0.005143409864977003 2377872
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu backward_filter gemm_nhwc 256 0.013723793761804701 7243776
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x3x224x224:bf16:nhwc8;y=256x64x224x224:bf16:nhwc;dx=0;needs=0,1;relu backward_filter gemm_nhwc_16 256 0.012118065612390637 115623936
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward cudnn_gemm 256 0.081200355403125285 14797578240
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward cudnn_implicit 256 0.064721296604722742 73728
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0059883068166673176 3288482195
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward cudnn_winograd_nonfused 256 0.017419151298280644 14798168064
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward fft_16 256 0.17908128429894504 2371092480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward fft_4 256 0.21353711546516332 2014248960 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.057326769229024653 57876480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward gemm_16 256 0.055609364863485097 924917760
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 forward implicit 256 0.080506452675908807 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0048877628408372396 3288481939
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data cudnn_winograd_nonfused 256 0.012497268391076635 14798168064
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data fft_16 256 0.1789628024319713 2371092480 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data fft_4 256 0.21169460252279076 2014248960 brief
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.029922354098409414 115679232
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data gemm_16 256 0.028481171604245899 1849761792
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_data implicit 256 0.083496342476457361 0
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.007445555087178945 3290399399
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter cudnn_winograd_nonfused 256 0.03683999207372899 14798168064
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter fft_16 256 0.15959810454295284 2371092480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter fft_4 256 0.19026114650950079 2014248960
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.067918582316488035 57802752
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter gemm_16 256 0.06866949009522795 1027604480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter implicit 256 3.3455240544067735 4096
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=4,1 backward_filter implicit_parts 256 0.22304019957842305 4718592
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward cudnn_implicit 256 0.084729082582838955 73728
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward cudnn_precomputed 256 0.0018164659310132265 74115
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc 256 0.058021397072921421 57876480
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 forward gemm_nhwc_16 256 0.056873916795074281 924917760
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_data cudnn_precomputed 256 0.0020844659972935921 73859
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc 256 0.034290514724329112 115679232
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_data gemm_nhwc_16 256 0.032721745865419503 1849761792
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_filter cudnn_precomputed 256 0.0059621939230710269 2212519
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc 256 0.061944208877161143 57950208
row conv(out=64,kernel=3x3,stride=1x1,pad=1x1,dilation=1x1,groups=1,bias=1)x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=4,1 backward_filter gemm_nhwc_16 256 0.058986995356157416 924991488
row convert()x=256x3x224x224:bf16:nchw;y=256x3x224x224:bf16:nhwc8;dx=0;needs=0,0 forward native 256 0.00014990599639713766 0
row convert()x=256x512x7x7:bf16:nhwc;y=256x512x7x7:bf16:nchw;dx=1;needs=0,0 forward native 256 1.3009982183575621e-05 0
row convert()x=256x512x7x7:bf16:nhwc;y=256x512x7x7:bf16:nchw;dx=1;needs=0,0 backward_data native 256 1.23059917241335e-05 0
row dropout(p=0.5)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.5149993598461228e-06 0
row dropout(p=0.5)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.1070035398006308e-06 0
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 2.1138992160558721e-05 8192000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.00050273902341723439 0
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 1.6051005572080624e-05 8192000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.00011630700156092643 0
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 2.2579010576009756e-05 4000
row fc(out=1000,bias=1)x=256x4096x1x1:bf16:nchw;y=256x1000x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.00011998700723052026 4000 brief
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 4.792299494147302e-05 33554432
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.00068683500215411186 0
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 4.5202996581792843e-05 33554432
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.0004494270198047161 0
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 5.0194989889860132e-05 16384
row fc(out=4096,bias=1)x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.00046507501229643824 16384 brief
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward gemm 256 0.00022638700529932978 205520896
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 forward tiles 256 0.0043125307442167015 0
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data gemm 256 0.00021569901332259183 205520896
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_data tiles 256 0.0025064859637455575 0
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter gemm 256 0.00015982700511813167 16384
row fc(out=4096,bias=1)x=256x512x7x7:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=4,1 backward_filter tiles 256 0.0027874003070143981 16384 brief
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x128x112x112:bf16:nchw;y=256x128x56x56:bf16:nchw;dx=1;needs=8,0 forward native 256 0.0021019069515168672 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x128x112x112:bf16:nchw;y=256x128x56x56:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.010030674871057273 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x128x112x112:bf16:nhwc;y=256x128x56x56:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00040836997516453268 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x128x112x112:bf16:nhwc;y=256x128x56x56:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.0014531700182706117 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x256x56x56:bf16:nchw;y=256x256x28x28:bf16:nchw;dx=1;needs=8,0 forward native 256 0.001048979040235281 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x256x56x56:bf16:nchw;y=256x256x28x28:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0050183549188077443 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x256x56x56:bf16:nhwc;y=256x256x28x28:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00020821000821888449 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x256x56x56:bf16:nhwc;y=256x256x28x28:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.00071144198067486287 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x14x14:bf16:nchw;y=256x512x7x7:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00012488299235701559 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x14x14:bf16:nchw;y=256x512x7x7:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.00062513899430632588 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x14x14:bf16:nhwc;y=256x512x7x7:bf16:nhwc;dx=1;needs=8,0 forward native 256 2.8689997270703361e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x14x14:bf16:nhwc;y=256x512x7x7:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 8.821000345051293e-05 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x28x28:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0 forward native 256 0.00050398701056838038 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x28x28:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.0025225469134747985 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x28x28:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00010625802166759968 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x512x28x28:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.000355889992788434 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x64x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=1;needs=8,0 forward native 256 0.0042049468718469134 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x64x224x224:bf16:nchw;y=256x64x112x112:bf16:nchw;dx=1;needs=8,0 backward_data native 256 0.019940178629010916 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x64x224x224:bf16:nhwc;y=256x64x112x112:bf16:nhwc;dx=1;needs=8,0 forward native 256 0.00082132999785244454 0
row maxpool(kernel=2x2,stride=2x2,pad=0x0,ceil=0)x=256x64x224x224:bf16:nhwc;y=256x64x112x112:bf16:nhwc;dx=1;needs=8,0 backward_data native 256 0.0029088820088654758 0
row relu()x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 0.00056421100720763207 0
row relu()x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00042536300048232078 0
row relu()x=256x128x112x112:bf16:nchw;y=256x128x112x112:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00041592299565672872 0
row relu()x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 0.000562930004671216 0
row relu()x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00042478595860302449 0
row relu()x=256x128x112x112:bf16:nhwc;y=256x128x112x112:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.00041617797501385215 0
row relu()x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 0.00028097900375723838 0
row relu()x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00021317100152373316 0
row relu()x=256x256x56x56:bf16:nchw;y=256x256x56x56:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00020833900198340418 0
row relu()x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 0.00028011401183903212 0
row relu()x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00021329800970852373 0
row relu()x=256x256x56x56:bf16:nhwc;y=256x256x56x56:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.00020830600149929524 0
row relu()x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 9.1498717665673068e-07 0
row relu()x=256x4096x1x1:bf16:nchw;y=256x4096x1x1:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 1.0749958455562575e-06 0
row relu()x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 3.6819007247686407e-05 0
row relu()x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 2.7507003396749495e-05 0
row relu()x=256x512x14x14:bf16:nchw;y=256x512x14x14:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 2.609899267554286e-05 0
row relu()x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 3.6946015432476987e-05 0
row relu()x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 2.6609973981976504e-05 0
row relu()x=256x512x14x14:bf16:nhwc;y=256x512x14x14:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 2.6258008554577838e-05 0
row relu()x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 0.00014181097969412807 0
row relu()x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00010670700296759607 0
row relu()x=256x512x28x28:bf16:nchw;y=256x512x28x28:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00010494702681899071 0
row relu()x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 0.00014232199080288415 0
row relu()x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00010725002177059651 0
row relu()x=256x512x28x28:bf16:nhwc;y=256x512x28x28:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.00010472200997173784 0
row relu()x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=2,0;in_place;done backward_data native 256 0.0011295229457318784 0
row relu()x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=8,0;in_place forward native 256 0.00085003497824072849 0
row relu()x=256x64x224x224:bf16:nchw;y=256x64x224x224:bf16:nchw;dx=1;needs=8,0;in_place backward_data native 256 0.00083144303783774375 0
row relu()x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=2,0;in_place;done backward_data native 256 0.0011279540229588746 0
row relu()x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=8,0;in_place forward native 256 0.00084939398057758814 0
row relu()x=256x64x224x224:bf16:nhwc;y=256x64x224x224:bf16:nhwc;dx=1;needs=8,0;in_place backward_data native 256 0.0008307379949837922 0
row softmax_loss()x=256x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 forward native 256 7.7629946172237458e-06 6144
row softmax_loss()x=256x1000x1x1:bf16:nchw;y=1x2x1x1:f32:nchw;dx=1;needs=8,0 backward_data native 256 1.202996820211411e-06 0
end 475
